/** A new domain of tasks that are answered by a call of a tool, in TypeScript and JavaScript. */
import type { Dialect } from './dialect.ts';

export const tools = ({
  ts,
  exported,
}: Dialect): string => `// A domain of tool calls: the environment writes a request and the call that it asks for (docs/domains.md).
// Try it with: genenv check-domain THIS_FILE
${ts(`import type { AgentPrompt, EnvironmentPrompt, Judge, Parse, Seeds, Tool, ToolCall } from './genenv-domain';

`)}/** What the agent may call. The parameters are JSON Schema, which servers with tools are given as it is. */
const tools${ts(': Tool[]')} = [
  {
    name: 'set_timer',
    description: 'Starts a timer.',
    parameters: {
      type: 'object',
      properties: { minutes: { type: 'integer' }, label: { type: 'string' } },
      required: ['minutes', 'label'],
    },
  },
  {
    name: 'add_to_list',
    description: 'Puts something on the shopping list.',
    parameters: {
      type: 'object',
      properties: { item: { type: 'string' }, amount: { type: 'integer' } },
      required: ['item', 'amount'],
    },
  },
];
/** Names and types of each tool's arguments: all of them are needed. */
const wanted${ts(": Record<string, Record<string, 'number' | 'string'>>")} = {
  set_timer: { minutes: 'number', label: 'string' },
  add_to_list: { item: 'string', amount: 'number' },
};

/** A call as the agent writes it. Its arguments stand in the order of their names, so that equal calls are equal texts. */
const written = (call${ts(': ToolCall')})${ts(': string')} => {
  const sorted = Object.fromEntries(Object.entries(call.arguments).sort(([a], [b]) => (a < b ? -1 : 1)));
  return \`<tool_call>\\n\${JSON.stringify({ name: call.name, arguments: sorted })}\\n</tool_call>\`;
};
const task = (prompt${ts(': string')}, call${ts(': ToolCall')}) => ({ prompt, tools, gold: written(call) });

// Tasks to vary, and tasks that only validation measures.
${exported('seeds', 'Seeds')} (split) =>
  split === 'base'
    ? [
        task('Tell me about the bread in 25 minutes.', { name: 'set_timer', arguments: { minutes: 25, label: 'bread' } }),
        task('We need 2 more lemons.', { name: 'add_to_list', arguments: { item: 'lemons', amount: 2 } }),
      ]
    : [task('The eggs take 7 minutes.', { name: 'set_timer', arguments: { minutes: 7, label: 'eggs' } })];

// What the environment policy reads. \`target\` is α, the success rate that is wanted.
${exported('environmentPrompt', 'EnvironmentPrompt')} ({ seed, target }) =>
  \`An assistant has these tools: \${JSON.stringify(tools)}

Write a request that it answers with the right call in \${Math.round(100 * target)} % of tries. An example:
Request: \${seed.prompt[0]?.content}
Call: \${seed.gold?.split('\\n')[1]}

Write only these two lines. Numbers and words of the call stand in the request.\`;

// Its text as a task. A call that the tools do not take, or that the request does not ask for, is none.
${exported('parse', 'Parse')} (text) => {
  const [, request, json] = /^\\s*Request: ([^\\n]+)\\n\\s*Call: (\\{[^\\n]+\\})\\s*$/.exec(text) ?? [];
  if (request === undefined || json === undefined) return { reject: 'it is no request with a call below it' };
  const call = callOf(json);
  if (call === null) return { reject: 'its call is no JSON with a name and arguments' };
  const parameters = wanted[call.name];
  if (parameters === undefined) return { reject: 'there is no such tool' };
  const given = Object.entries(call.arguments);
  if (given.length !== Object.keys(parameters).length) return { reject: 'its call has too few arguments, or too many' };
  if (given.some(([name, value]) => typeof value !== parameters[name])) return { reject: 'an argument is of the wrong type' };
  const said = request.toLowerCase();
  const missing = given.some(([, value]) => !said.includes(String(value).toLowerCase()));
  if (missing) return { reject: 'an argument does not stand in the request' };
  return { ...task(request.trim(), call), difficulty: { words: request.trim().split(/\\s+/).length } };
};

${exported('agentPrompt', 'AgentPrompt')} ({ prompt }) =>
  \`\${prompt[0]?.content}

Answer with one call of a tool: <tool_call>{"name": …, "arguments": {…}}</tool_call>
The tools: \${JSON.stringify(tools)}\`;

// The tool's name alone is worth something: the agent learns from the reward, success counts in p̂.
${exported('judge', 'Judge')} ({ gold }, { toolCalls }) => {
  const [call, more] = toolCalls ?? [];
  if (call === undefined || more !== undefined) return { success: false, reward: 0, note: 'not one call' };
  const success = written(call) === gold;
  const name = gold?.includes(\`"name":"\${call.name}"\`) === true;
  return { success, reward: success ? 1 : name ? 0.3 : 0, parts: { name: Number(name), whole: Number(success) } };
};

/** What a model wrote as JSON; null where it is no call. */
function callOf(json${ts(': string')})${ts(': ToolCall | null')} {
  try {
    const read = JSON.parse(json);
    const isCall = typeof read?.name === 'string' && typeof read.arguments === 'object' && read.arguments !== null;
    return isCall ? { name: read.name, arguments: read.arguments } : null;
  } catch {
    return null;
  }
}
`;
