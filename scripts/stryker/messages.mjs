/** A plugin of StrykerJS: what errors, log lines and notes say is left out of mutation. */

const reason = 'Words for people: what a message says is not held by tests word for word.';

/** Properties and functions of the engine that take a sentence for people. */
const properties = new Set(['note']);
const functions = new Set(['skipped']);
const methods = /(^|\.)(log\.(debug|info|warn|error)|unanswered\.add)$/;

/** A literal with a blank in it, or a full stop: a sentence, where `'endpoint'` is a reason that the code reads. */
const isSentence = (node) =>
  (node.type === 'StringLiteral' && / |\.$/.test(node.value)) ||
  (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' '))) ||
  (node.type === 'BinaryExpression' && node.operator === '+' && (isSentence(node.left) || isSentence(node.right)));

function isForPeople({ node }) {
  switch (node.type) {
    case 'NewExpression':
      return node.callee.type === 'Identifier' && node.callee.name.endsWith('Error');
    case 'CallExpression':
      return functions.has(node.callee.name) || methods.test(nameOf(node.callee));
    case 'ObjectProperty':
      return properties.has(node.key.name);
    case 'VariableDeclarator':
      return properties.has(node.id.name);
    default:
      return false;
  }
}

/** `this.#unanswered.add` as `unanswered.add`. */
const nameOf = (node) => {
  if (node.type === 'MemberExpression') return `${nameOf(node.object)}.${nameOf(node.property)}`;
  if (node.type === 'PrivateName') return node.id.name;
  return node.name ?? '';
};

const messages = {
  shouldIgnore: (path) => (isSentence(path.node) && path.findParent(isForPeople) !== null ? reason : undefined),
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'messages', value: messages }];
