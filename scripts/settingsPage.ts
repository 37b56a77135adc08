/** `docs/settings.md`: every setting of an experiment, in the words of its form. `npm run schemas` writes it. */
import { describeField, fields } from '../src/shared/experiment/fields.ts';

const head = `# Settings

Every setting of an experiment file, by its section, as the form, hover and completion tell it. \`npm run schemas\` writes this page
from \`src/shared/experiment/fields\`. What the method does with a setting is in [method](method.md), what a server or cluster
takes in [endpoints](endpoints.md), what ends a run in [money](money.md).
`;

const sections: readonly [string, string][] = [
  ['', 'The run'],
  ['domain', 'Domain: tasks'],
  ['reward', 'Reward of the agent'],
  ['endpoints.agent', 'Endpoint of the agent'],
  ['endpoints.environment', 'Endpoint of the environment'],
  ['curriculum', 'Curriculum: reward of the environment, difficulty filter'],
  ['generation', 'Generation: tasks that the environment writes'],
  ['rollouts', 'Rollouts: attempts'],
  ['agent', 'Update of the agent'],
  ['environment', 'Update of the environment'],
  ['validation', 'Validation'],
  ['evaluation', 'Evaluation on a benchmark'],
  ['crossPlay', 'Cross-play of versions'],
  ['earlyStop', 'Early stopping'],
  ['budget', 'Budgets'],
];

/** The longest section that a setting lies in. */
const sectionOf = (path: string): string =>
  sections
    .map(([name]) => name)
    .filter((name) => name !== '' && path.startsWith(`${name}.`))
    .toSorted((a, b) => b.length - a.length)[0] ?? '';

/** With the choices of an enumeration. */
function lineOf(path: string, choices: Readonly<Record<string, string>> | undefined): string {
  const named =
    choices === undefined
      ? ''
      : ` One of ${Object.keys(choices)
          .map((choice) => `\`${choice}\``)
          .join(', ')}.`;
  return `- \`${path}\`: ${describeField(path)}${named}`;
}

export function settingsPage(): string {
  const lines = Map.groupBy(Object.entries(fields), ([path]) => sectionOf(path));
  const parts = sections.flatMap(([name, title]) => {
    const own = lines.get(name) ?? [];
    if (own.length === 0) throw new Error(`No setting is in the section "${name}".`);
    return [`## ${title}\n`, ...own.map(([path, { choices }]) => lineOf(path, choices)), ''];
  });
  return `${[head, ...parts].join('\n').trimEnd()}\n`;
}
