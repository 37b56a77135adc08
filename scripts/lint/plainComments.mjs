/** The rule of docs/writing.md for comments: plain English that names what it is about. */
const patterns = [
  [/^[*\s]*What /, 'Name it instead of “What …”: “The reply”, not “What was answered”.'],
  [/\b(?:whoever|nobody|somebody)\b/i, 'Name who acts: the caller, the user, the run; or use the passive.'],
  [/\b(?:is|are|was|were) told\b/i, 'Say who reports it to whom: “reported”, “gets”, “logged”.'],
  [/\b(?:goes|go|went|going) on\b/i, 'Say “continues”, “runs” or “resumes”.'],
];

export const plainComments = {
  meta: { type: 'suggestion', schema: [], messages: { plain: '{{advice}} (docs/writing.md)' } },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        for (const [pattern, advice] of patterns) {
          if (pattern.test(comment.value)) context.report({ loc: comment.loc, messageId: 'plain', data: { advice } });
        }
      }
    },
  }),
};
