/** The commands, their arguments and options, as data: parsed from, helped from and checked from one table. */
import { json, root, run, type CommandSpec, type OptionSpec } from './commandParts.ts';
import { allow } from './consent/allowOption.ts';
import { serveCommands } from './commands/serveCommands.ts';
import { accessCommands } from './consent/accessCommands.ts';
import { domainCommands } from './domainCommands.ts';
import { rewardCommands } from './rewardCommands.ts';
import { taskCommands } from './taskCommands.ts';
import { runnerCommands } from '../features/runner/cli/runnerCommands.ts';
import { agentCommands } from '../features/agents/cli/agentCommands.ts';
import { labelCommands } from '../features/labels/cli/labelCommands.ts';
import { playCommands } from '../features/play/cli/playCommands.ts';
import { poolCommands } from '../features/pools/cli/poolCommands.ts';
import { reattemptCommands } from '../features/reattempt/cli/reattemptCommands.ts';
import { savesCommands } from '../features/saves/cli/savesCommands.ts';
import { talkCommands } from '../features/talk/cli/talkCommands.ts';
import { tokensCommands } from '../features/tokens/cli/tokensCommands.ts';
import { reportCommands } from '../features/report/cli/reportCommands.ts';
import { studyCommands } from '../features/study/cli/studyCommands.ts';

const set: OptionSpec = {
  value: 'FIELD=VALUE',
  many: true,
  help: 'Change a setting; may be repeated. Paths are relative to the current folder.',
};
const watching: Readonly<Record<string, OptionSpec>> = {
  report: { help: 'Write the HTML report when it ends.' },
  plain: { help: 'One line an epoch, even on a terminal.' },
  verbose: { help: 'Say on stderr what the run logs.' },
};
const experiment = { name: 'FILE', help: 'Experiment file (*.genenv.json).' };
const pausing = ['Ctrl-C pauses at once: finished rollouts are kept, and it says how to resume. A second one kills.'];

export const commands = {
  run: {
    summary: 'Run an experiment',
    argument: experiment,
    options: { set, allow, root, json, ...watching },
    examples: ['genenv run demo/embedded.genenv.json', 'genenv run mine.genenv.json --set seed=2 --set epochs=20'],
    notes: pausing,
  },
  resume: {
    summary: 'Resume a paused, failed or interrupted run',
    argument: run,
    options: { allow, root, json, ...watching },
    examples: ['genenv resume 20261121'],
    notes: pausing,
  },
  branch: {
    summary: 'Branch a run: a new run that starts with its first epochs',
    argument: run,
    options: {
      epoch: { value: 'N', help: 'Last epoch to share with it; 0 shares only the start.' },
      set,
      run: { help: 'Run the branch at once.' },
      allow,
      root,
      json,
      ...watching,
    },
    examples: ['genenv branch 20261121 --epoch 12 --set curriculum.kMin=0.15 --run'],
  },
  change: {
    summary: 'Change settings of a running run',
    argument: run,
    options: { set, root, json },
    examples: ['genenv change 20261121 --set curriculum.alpha=0.4 --set curriculum.beta=8'],
    notes: [
      'α β λ k_min, the filter and both updates follow with the next scoring, everything else with the next epoch.',
      'With rollouts.staleness, epochs that are sampled ahead keep their settings of generation and rollouts.',
    ],
  },
  pause: {
    summary: 'Ask a run in another process to pause at its next phase boundary',
    argument: run,
    options: { root, json },
    examples: ['genenv pause 20261121'],
  },
  edit: {
    summary: 'Exclude a task from a run’s pools, restore it, or correct its gold',
    argument: run,
    options: {
      task: { value: 'ID', help: 'The task, as “genenv show” names it.' },
      exclude: { value: 'REASON', help: 'Out of both pools; the reason is journaled.' },
      restore: { help: 'Back into the pools.' },
      gold: { value: 'TEXT', help: 'Another gold, if it verifies.' },
      root,
      json,
    },
    examples: ['genenv edit 20261121 --task e3.f2.v1 --exclude ambiguous'],
    notes: [
      'Records stay as they are; the edit is journaled with its author. It takes effect with the next',
      'epoch that is not sampled yet.',
      'The environment policy no longer learns from a task edited by hand, because it did not write that.',
    ],
  },
  health: {
    summary: 'See which tasks of a run look wrong, and why',
    argument: run,
    options: {
      flag: { value: 'NAME', many: true, help: 'Only tasks with this flag; may be repeated.' },
      task: { value: 'ID', help: 'One task: its flags in sentences.' },
      root,
      json,
    },
    examples: ['genenv health 20261121', 'genenv health 20261121 --flag dead --json'],
    notes: [
      'Flags: unverifiable, gold-disagrees, not-deterministic, coin-flip, duplicate, held-out, truncated, dead.',
      'See docs/data.md for what each means and how often it is a false alarm.',
    ],
  },
  ...reattemptCommands,
  ...tokensCommands,
  ...playCommands,
  ...poolCommands,
  ...talkCommands,
  ...labelCommands,
  ...savesCommands,
  list: {
    summary: 'List the runs, newest first',
    argument: null,
    options: { root, json },
    examples: ['genenv list', 'genenv list --json'],
  },
  show: {
    summary: 'Show a run: its epochs, families, tasks, or one attempt',
    argument: run,
    options: {
      epochs: { help: 'One line an epoch (the default).' },
      families: { help: 'Families of an epoch with p̂, R_env and weight.' },
      epoch: { value: 'N', help: 'Which epoch (default: the last one scored).' },
      tasks: { help: 'Tasks of a family.' },
      family: { value: 'F', help: 'Which family, as --families names it.' },
      trace: { value: 'ID', help: 'One attempt, as --tasks names it.' },
      jobs: { help: 'Jobs that trained its policies, with what they logged; with --epoch of one epoch.' },
      timeline: {
        help: 'Who waited for whom: the phases of the last epochs, or of those up to --epoch.',
      },
      written: { help: 'What the environment wrote: rejected by which cause, how diverse; with --epoch of one epoch.' },
      root,
      json,
    },
    examples: [
      'genenv show 20261121',
      'genenv show 20261121 --families --epoch 3',
      'genenv show 20261121 --tasks --family e3.f2',
      'genenv show 20261121 --trace e3/e3.f2.v1/r0',
    ],
  },
  search: {
    summary: 'Search the traces of a run, and the prompts of its tasks',
    argument: run,
    rest: {
      name: 'QUERY',
      help: 'Words that were said, and fields: verdict:fail epoch:2..4 tool:search "time out".',
      query: true,
    },
    options: {
      limit: { value: 'N', help: 'No more than N traces, and N tasks (default: all).' },
      root,
      json: { help: 'Print one JSON object a line for each hit; errors as JSON on stderr.' },
    },
    examples: [
      "genenv search 20261121 'verdict:fail epoch:3.. timeout'",
      "genenv search 20261121 'tool:search reward<0.2' --limit 20",
      "genenv search 20261121 'note:yes' --json | jq .trace",
    ],
    notes: [
      'Fields: epoch, len (sampled tokens), reward, part.NAME with : < > and ranges (2..5); verdict (solved, failed,',
      'error), purpose, stop, valid, tool, note (yes, no or words), label (pass, fail, disputed, or a label);',
      'by (person, policy, or a person’s name); task, family, domain, trace, version (* is any text).',
      'Prefix a term with - to exclude it; quote the query so that your shell leaves it alone.',
    ],
  },
  ...reportCommands,
  export: {
    summary: 'Export a pool as training data for other programs',
    argument: run,
    options: {
      pool: { value: 'NAME', help: 'agent: base data and valid traces; environment: context, task, weight.' },
      format: { value: 'NAME', help: 'jsonl (the default), verl, messages (TRL, Hugging Face) or tinker.' },
      rows: {
        value: 'KIND',
        help: 'Of the agent pool as messages: tasks (the default), or attempts that solved theirs.',
      },
      weights: { value: 'HOW', help: 'Of the environment pool as verl or messages: resample (the default) or column.' },
      verdicts: {
        value: 'WHICH',
        help: 'Of the agent pool: recorded (the default), or rescored (genenv rescore --apply).',
      },
      out: {
        value: 'FILE',
        help: 'Where to: parquet when it ends in .parquet, else JSONL (default: standard output).',
      },
      preview: { help: 'Show columns, first rows and what is left out, as markdown; write nothing.' },
      root,
      json,
    },
    examples: [
      'genenv export 20261121 --pool agent --out agent.jsonl',
      'genenv export 20261121 --pool agent --format verl --out train.parquet',
      'genenv export 20261121 --pool environment --format messages --weights column --preview',
    ],
    notes: ['Beside FILE, FILE.manifest.json says what was written, and what was left out and why. See docs/data.md.'],
  },
  import: {
    summary: 'Import other programs’ tasks as seed tasks, or their rollouts as a run: JSONL, CSV, TSV or parquet',
    argument: { name: 'FILE', help: 'Rows of verl, TRL or GenEnv, or a table with a prompt and an answer.' },
    options: {
      out: { value: 'FILE', help: 'The task file to write, for domain.seeds of an experiment.' },
      prompt: {
        value: 'COLUMN',
        help: 'Where the prompt is (default: prompt, question, problem, instruction, input).',
      },
      gold: { value: 'COLUMN', help: 'Where the answer is (default: gold, ground_truth, answer, solution, …).' },
      evaluation: {
        value: 'KIND',
        help: 'The rule that judges an answer, where rows do not say, or JSON with its options.',
      },
      rollouts: { help: 'FILE, or a folder of dumps, holds attempts: make a run of them that is only read.' },
      format: { value: 'NAME', help: 'Of rollouts: verl, trl, verifiers or messages (default: told by the rows).' },
      solved: { value: 'N', help: 'Of rollouts: the reward from which one is solved (default: 1).' },
      name: { value: 'TEXT', help: 'Of rollouts: what the run is called (default: as the file).' },
      preview: { help: 'Of rollouts: only say what is there, and what would be left out.' },
      root,
      json,
    },
    examples: [
      'genenv import train.parquet --out seeds.jsonl',
      'genenv import quiz.csv --prompt Question --gold Answer --evaluation number --out seeds.jsonl',
      'genenv import rollouts/ --rollouts --name gsm8k-grpo',
      'genenv import results.jsonl --rollouts --solved 0.5 --preview',
    ],
    notes: ['Rows that are not tasks or attempts are left out and listed. See docs/data.md.'],
  },
  ...studyCommands,
  ...runnerCommands,
  ...taskCommands,
  score: {
    summary: 'Score answers to a benchmark as its authors do: one case per line in, one verdict per line out',
    argument: { name: 'BENCHMARK', help: 'alfworld, api-bank, bamboogle, bfcl, bfcl-multi-turn or travelplanner.' },
    options: {
      in: { value: 'FILE', help: 'Cases, one JSON object a line (default, or -: standard input).' },
      out: { value: 'FILE', help: 'Where verdicts go, one JSON object a line (default, or -: standard output).' },
      game: { value: 'FILE', help: 'alfworld: the game of all cases that name none (*.tw-pddl).' },
      games: { value: 'DIR', help: 'alfworld: where the games lie that cases name (default: here).' },
      'no-rename': { help: 'alfworld: call things by their ids.' },
      decode: { help: 'bfcl: only read the calls in a text.' },
      relevance: { help: 'bfcl: only whether a text rightly has a call.' },
      parse: { help: 'api-bank: only find the call in a text.' },
      execute: { help: 'api-bank: execute calls against its tools and dialogues.' },
      data: {
        value: 'DIR',
        help: 'api-bank --execute: “api-bank” of its repository. bfcl-multi-turn: “bfcl_eval/data”.',
      },
      rouge: { help: 'api-bank: ROUGE-L of a response.' },
      database: { value: 'DIR', help: 'travelplanner: the folder “database” of its repository.' },
      rates: { help: 'travelplanner: the six rates of a whole submission.' },
    },
    examples: [
      'genenv score bamboogle --in cases.jsonl --out verdicts.jsonl',
      'genenv score api-bank --parse --in texts.jsonl',
      'genenv score travelplanner --database TravelPlanner/database --in plans.jsonl',
    ],
    notes: [
      'A line that is not a case gets {"id", "error"} in its place and a message on stderr; the exit status is 2.',
      'Equal errors are printed once, with how often and in which lines; such cases count as wrong.',
      'What the cases of each benchmark look like: docs/benchmarks/scoring.md.',
    ],
  },
  evaluate: {
    summary: 'Evaluate a policy on a benchmark: pass@k with intervals, beside what the paper reports',
    argument: {
      name: 'ADAPTER',
      help: 'Benchmark adapter: a file (*.adapter.json), or the name of a shipped one, such as bfcl.',
    },
    options: {
      policy: { value: 'WHO', help: 'shipped (embedded), gold (official answers), a run, or an experiment file.' },
      version: { value: 'NAME', help: 'Of a run: which agent, as agent@3 (default: the newest).' },
      answers: { value: 'FILE', help: 'Answers instead: {"id": task, "text": answer} a line.' },
      url: { value: 'URL', help: 'An OpenAI-compatible server instead, usually ending in /v1; with --model.' },
      model: { value: 'NAME', help: 'Of the server: which model.' },
      key: { value: 'WHERE', help: 'Of the server: where its key is, as ${env:NAME}; never the key itself.' },
      judge: {
        value: 'FILE',
        help: 'Experiment whose agent judges the answers, where the adapter has a prompt for it.',
      },
      data: { value: 'DIR', help: 'Folder of the data (default: the one the adapter names).' },
      outside: { help: 'Read files outside of that folder, too: by links that lead out of it, by “..”.' },
      split: { value: 'NAME', many: true, help: 'Only this split; may be repeated.' },
      sample: { value: 'N', help: 'Only N tasks, drawn by the seed.' },
      seed: { value: 'N', help: 'Of the draw and of sampling (default: 1).' },
      attempts: { value: 'N', help: 'Attempts a task, each with its own seed (default: 1).' },
      k: { value: 'K', many: true, help: 'k of pass@k, up to the attempts; may be repeated (default: 1 and N).' },
      temperature: { value: 'T', help: 'Of sampling (default: 0 for one attempt a task, else 0.7).' },
      'max-tokens': { value: 'N', help: 'Longest answer (default: 1024).' },
      out: { value: 'DIR', help: 'Folder of the evaluation (default: one of its own in .genenv/evaluations).' },
      set,
      allow,
      root,
      json,
    },
    examples: [
      'genenv evaluate bamboogle --data ToolRL/benchmarks/Bamboogle --policy mine.genenv.json',
      'genenv evaluate bfcl --data bfcl_eval/data --split live_simple --policy 20261121 --attempts 8 --k 4',
      'genenv evaluate api-bank --data ToolRL/benchmarks/API-Bank --answers answers.jsonl',
      'genenv evaluate bfcl --data bfcl_eval/data --url http://127.0.0.1:8000/v1 --model qwen',
    ],
    notes: [
      'Every answer is kept as it comes: the same command again asks only for what is missing.',
      'What was not answered or not judged counts as wrong, as authors count; “of those answered” stands beside.',
      'Exits with 1 if something was not answered, with 2 if the data is broken.',
      'See docs/benchmarks/evaluation.md.',
    ],
  },
  'compare-evaluations': {
    summary: 'Compare two evaluations task by task',
    argument: { name: 'A', help: 'Folder of an evaluation.' },
    rest: { name: 'B', help: 'Folder of the other one: differences are B minus A.' },
    options: { json },
    examples: ['genenv compare-evaluations .genenv/evaluations/before .genenv/evaluations/after'],
    notes: [
      'One attempt per task on both sides: McNemar’s exact test, with Bonett and Price’s interval of the difference.',
      'More attempts per task: a bootstrap interval over tasks.',
    ],
  },
  ...domainCommands,
  ...rewardCommands,
  'audit-rewards': {
    summary: 'See what may be wrong with a run’s reward, by the attempts that it judged',
    argument: run,
    options: { root, json },
    examples: ['genenv audit-rewards 20261121', 'genenv audit-rewards 20261121 --json'],
    notes: [
      'Looks at length, constant rewards, empty answers, last actions, equal answers judged differently, and',
      'majorities against the gold. Hints with numbers, never verdicts; the run stays as it is. See docs/rewards.md.',
    ],
  },
  validate: {
    summary: 'Check an experiment file and the files it names',
    argument: experiment,
    options: { set, json },
    examples: ['genenv validate mine.genenv.json'],
  },
  check: {
    summary: 'Check everything a run needs, one task end to end included',
    argument: experiment,
    options: { set, allow, root, json },
    examples: ['genenv check mine.genenv.json', 'genenv check mine.genenv.json --set mode=random --json'],
    notes: ['Opens the endpoints, has one family of tasks written and attempted, and says what the run will cost.'],
  },
  'check-adapter': {
    summary: 'Run a benchmark adapter over its data: list the records that do not fit, count those that do',
    argument: { name: 'FILE', help: 'Benchmark adapter (*.adapter.json).' },
    options: {
      data: { value: 'DIR', help: 'Folder of the data (default: the one the adapter names).' },
      outside: { help: 'Read files outside of that folder, too: by links that lead out of it, by “..”.' },
      split: { value: 'NAME', many: true, help: 'Only this split; may be repeated.' },
      out: { value: 'FILE', help: 'Write the tasks too: a task file for domain.seeds of an experiment.' },
      json,
    },
    examples: [
      'genenv check-adapter bamboogle.adapter.json --data benchmarks/bamboogle',
      'genenv check-adapter mine.adapter.json --split train --out seeds.jsonl',
    ],
    notes: [
      'Exits with 2 if a record does not fit or a file is missing.',
      'Of equal problems the first three are printed and the others counted; --json has all.',
    ],
  },
  doctor: {
    summary: 'See what an endpoint can do: a checklist with evidence, as markdown',
    argument: {
      name: 'FILE|URL',
      help: 'Experiment file (its endpoints and its OpenEnv server), or the address of a server.',
    },
    options: {
      model: { value: 'NAME', help: 'Of a server: which model (default: the first it serves).' },
      key: { value: 'WHERE', help: 'Of a server: where its key is, as ${env:NAME}; never the key itself.' },
      kind: { value: 'KIND', help: 'Of a server: tinker (the default), openai or openenv.' },
      set,
      allow,
      json,
    },
    examples: [
      'genenv doctor mine.genenv.json',
      'genenv doctor http://127.0.0.1:8787 --model genenv/agent',
      "genenv doctor http://127.0.0.1:8000/v1 --kind openai --key '${env:VLLM_KEY}'",
      'genenv doctor http://127.0.0.1:8000 --kind openenv',
    ],
    notes: [
      'Samples a little and trains a throw-away adapter for a few steps; exits with 1 if something does not work.',
    ],
  },
  ...accessCommands,
  ...agentCommands,
  ...serveCommands,
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof commands;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** Of every command. */
export const help: OptionSpec = { help: 'Say what this is and how it is used.' };
