/**
 * Answers in groups that fell out (`rollouts.spare`) are expected to be this many times as long as in those that count: the
 * run leans to tasks that are answered fast. Apart from the schemas, which pages load later.
 */
export const fastFrom = 1.25;
