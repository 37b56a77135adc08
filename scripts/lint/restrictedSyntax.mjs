/** Syntax that a part of the tree may not use: selectors of esquery, each with what to write in its place. */
export const restrictedSyntax = {
  meta: { type: 'suggestion', schema: false },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};
