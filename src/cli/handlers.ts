/** The commands' code, each loaded when its command is called: all of it together takes longer than a small command does. */
import type { CommandName } from './commandSpec.ts';
import type { Context, Surroundings } from './context.ts';
import type { ExitCode } from './exitCode.ts';

type Handler = (surroundings: Surroundings, runs: OpenRuns) => Promise<ExitCode>;

/** Adds the folder of runs, of which code a command without runs does without. */
type OpenRuns = (surroundings: Surroundings) => Promise<Context>;

type Loaded<T> = () => Promise<(context: T) => Promise<ExitCode>>;

const onRuns =
  (load: Loaded<Context>): Handler =>
  async (surroundings, runs) => {
    const [command, context] = await Promise.all([load(), runs(surroundings)]);
    return command(context);
  };

const alone =
  (load: Loaded<Surroundings>): Handler =>
  async (surroundings) =>
    (await load())(surroundings);

export const handlers: Readonly<Record<CommandName, Handler>> = {
  run: onRuns(async () => (await import('./commands/run.ts')).run),
  resume: onRuns(async () => (await import('./commands/resume.ts')).resume),
  branch: onRuns(async () => (await import('./commands/branch.ts')).branch),
  change: onRuns(async () => (await import('./commands/steer.ts')).change),
  pause: onRuns(async () => (await import('./commands/steer.ts')).pause),
  edit: onRuns(async () => (await import('../features/tasks/cli/edit.ts')).edit),
  health: onRuns(async () => (await import('../features/health/cli/health.ts')).health),
  reattempt: onRuns(async () => (await import('../features/reattempt/cli/reattempt.ts')).reattemptCommand),
  fork: onRuns(async () => (await import('../features/reattempt/cli/fork.ts')).forkCommand),
  tokens: onRuns(async () => (await import('../features/tokens/cli/tokens.ts')).tokensCommand),
  play: onRuns(async () => (await import('../features/play/cli/play.ts')).playCommand),
  pool: onRuns(async () => (await import('../features/pools/cli/pool.ts')).poolCommand),
  talk: onRuns(async () => (await import('../features/talk/cli/talk.ts')).talkCommand),
  saves: onRuns(async () => (await import('../features/saves/cli/saves.ts')).savesCommand),
  label: onRuns(async () => (await import('../features/labels/cli/label.ts')).labelCommand),
  list: onRuns(async () => (await import('./commands/list.ts')).list),
  show: onRuns(async () => (await import('./commands/show.ts')).show),
  search: onRuns(async () => (await import('../features/search/cli/search.ts')).search),
  report: onRuns(async () => (await import('../features/report/cli/report.ts')).report),
  mlflow: onRuns(async () => (await import('../features/report/cli/mlflow.ts')).mlflow),
  tensorboard: onRuns(async () => (await import('../features/report/cli/tensorboard.ts')).tensorboard),
  export: onRuns(async () => (await import('../features/pools/cli/export.ts')).exportCommand),
  import: onRuns(async () => (await import('../features/import/cli/import.ts')).importCommand),
  study: onRuns(async () => (await import('../features/study/cli/study.ts')).studyCommand),
  runner: onRuns(async () => (await import('../features/runner/cli/runner.ts')).runnerCommand),
  queue: onRuns(async () => (await import('../features/runner/cli/queue.ts')).queueCommand),
  'make-tasks': onRuns(async () => (await import('../features/makeTasks/cli/makeTasks.ts')).makeTasksCommand),
  score: alone(async () => (await import('../features/offline/cli/score.ts')).score),
  evaluate: onRuns(async () => (await import('../features/evaluation/cli/evaluate.ts')).evaluateCommand),
  'compare-evaluations': alone(
    async () => (await import('../features/evaluation/cli/compareEvaluations.ts')).compareEvaluationsCommand,
  ),
  'test-reward': alone(async () => (await import('../features/rewards/cli/testReward.ts')).testReward),
  'suggest-cases': onRuns(async () => (await import('../features/rewards/cli/suggestCases.ts')).suggestCasesCommand),
  rescore: onRuns(async () => (await import('../features/rescore/cli/rescore.ts')).rescoreCommand),
  'audit-rewards': onRuns(async () => (await import('../features/audit/cli/auditRewards.ts')).auditRewards),
  setup: alone(async () => (await import('../features/setup/cli/setup.ts')).setupCommand),
  validate: alone(async () => (await import('./commands/validate.ts')).validate),
  check: onRuns(async () => (await import('../features/preflight/cli/check.ts')).check),
  'check-adapter': alone(async () => (await import('../features/adapter/cli/checkAdapter.ts')).checkAdapterCommand),
  'check-curriculum': alone(async () => (await import('../features/curricula/cli/checkCurriculum.ts')).checkCurriculum),
  'check-domain': alone(async () => (await import('../features/domains/cli/checkDomain.ts')).checkDomainCommand),
  'copy-domain': alone(async () => (await import('../features/domains/cli/copyDomain.ts')).copyDomainCommand),
  'install-reasoning': alone(
    async () => (await import('../features/domains/cli/installReasoning.ts')).installReasoningCommand,
  ),
  doctor: alone(async () => (await import('../features/doctor/cli/doctor.ts')).doctor),
  allow: alone(async () => (await import('./commands/allow.ts')).allowCommand),
  mcp: alone(async () => (await import('../features/agents/cli/mcp.ts')).mcp),
  serve: alone(async () => (await import('./commands/serve.ts')).serve),
};
