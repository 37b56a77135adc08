/** Composition root: builds the parts, registers them, nothing else. */
import { pathToFileURL } from 'node:url';
import type * as vscode from 'vscode';
import type { Clock } from './engine/ports.ts';
import type { CommandContext } from './host/commands/context.ts';
import { speakEditorsLanguage } from './host/language.ts';
import { registerCommands } from './host/commands/register.ts';
import { registerAgents, type ShownAgents } from './features/agents/host/registerAgents.ts';
import { registerAttempts } from './features/attempts/host/registerAttempts.ts';
import { registerAudit } from './features/audit/host/registerAudit.ts';
import { registerCompare } from './features/compare/host/registerCompare.ts';
import { Failures } from './host/feedback/failures.ts';
import { registerGuards } from './host/feedback/guardProblems.ts';
import { createLog } from './host/feedback/log.ts';
import { registerNotifications } from './host/feedback/notifications.ts';
import { registerResumption } from './host/feedback/resumption.ts';
import { registerStatusBar } from './host/feedback/statusBar.ts';
import { registerCalibration } from './features/calibration/host/registerCalibration.ts';
import { registerPreflight } from './features/preflight/host/registerPreflight.ts';
import { Catalog } from './host/runs/catalog.ts';
import { registerContextKeys } from './host/runs/contextKeys.ts';
import { RunFolders } from './host/runs/runFolders.ts';
import type { RunCatalog, RunQueue, RunService } from './host/runs/runs.ts';
import { Service } from './host/runs/service.ts';
import { registerExperiments } from './features/experiment/host/register.ts';
import { registerCurricula } from './features/curricula/host/registerCurricula.ts';
import { registerDomains, type ShownDomainCases } from './features/domains/host/registerDomains.ts';
import { registerDocuments } from './host/documents/documents.ts';
import { registerBenchmarks } from './features/adapter/host/registerBenchmarks.ts';
import { HostKeys, registerKeyCommands } from './host/servers/hostKeys.ts';
import { registerEndpoints } from './features/endpoints/host/endpointsTree.ts';
import { registerPools } from './features/pools/host/poolsTree.ts';
import { registerLabels } from './features/labels/host/registerLabels.ts';
import { registerLinks } from './features/links/host/registerLinks.ts';
import { NoteBook } from './features/notes/host/noteBook.ts';
import { registerNotes } from './features/notes/host/registerNotes.ts';
import { registerPlay } from './features/play/host/registerPlay.ts';
import { registerTalk } from './features/talk/host/registerTalk.ts';
import { registerSaves } from './features/saves/host/registerSaves.ts';
import { registerReattempt } from './features/reattempt/host/registerReattempt.ts';
import { registerReport } from './features/report/host/registerReport.ts';
import { registerRescore } from './features/rescore/host/registerRescore.ts';
import { registerRewards } from './features/rewards/host/registerRewards.ts';
import type { ShownCaseTests } from './features/rewards/host/tests/registerCaseTests.ts';
import { EditorQueue } from './features/runner/host/editorQueue.ts';
import { registerRunner } from './features/runner/host/registerRunner.ts';
import { registerRunTable } from './features/runTable/host/registerRunTable.ts';
import { registerSearch } from './features/search/host/registerSearch.ts';
import { registerTokens } from './features/tokens/host/registerTokens.ts';
import { registerTerminal } from './features/terminal/host/registerTerminal.ts';
import { registerSetup } from './features/setup/host/registerSetup.ts';
import { registerSeeds } from './features/seeds/host/registerSeeds.ts';
import { registerStudies } from './features/study/host/registerStudies.ts';
import { registerStudyForm } from './features/studyForm/host/registerStudyForm.ts';
import { registerTasks } from './features/tasks/host/registerTasks.ts';
import { FoldedTrees } from './host/trees/foldedTrees.ts';
import { OpenRuns } from './host/trees/openRuns.ts';
import { registerSchemas } from './host/files/schemas.ts';
import { registerRunsTree } from './host/trees/runs/runsTree.ts';
import type { RunsTree } from './host/trees/target.ts';

/** The API for other extensions, and tests. */
export interface GenEnvApi {
  readonly catalog: RunCatalog;
  readonly service: RunService;
  readonly queue: RunQueue;
  readonly runsTree: RunsTree;
  /** The Test Explorer's cases of rewards; present once the workspace has one with cases. */
  readonly caseTests: ShownCaseTests;
  /** The same of domains. */
  readonly domainCases: ShownDomainCases;
  readonly curriculumCases: ReturnType<typeof registerCurricula>;
  /** The server's definitions, and what agents propose. */
  readonly agents: ShownAgents;
}

let running: Service | null = null;

export function activate(context: vscode.ExtensionContext): GenEnvApi {
  const { extension, extensionUri, subscriptions, workspaceState } = context;
  speakEditorsLanguage();
  const version = versionOf(extension);
  const dist = new URL('dist/', pathToFileURL(`${extensionUri.fsPath}/`));
  const clock: Clock = { now: () => Date.now() };
  const log = createLog();
  const failures = new Failures(log);

  const folders = new RunFolders({ clock, log, version });
  const catalog = new Catalog(folders, clock, (error) => log.error(error instanceof Error ? error : String(error)));
  const keys = new HostKeys(context);
  const queue = new EditorQueue({ folders, catalog, keys, clock, log, dist, version });
  catalog.steers((dir) => queue.active.has(dir));
  const service = new Service({ folders, catalog, queue, dist, clock, keys, log });
  running = service;
  const commands: CommandContext = {
    ...{ catalog, service, folders, failures, log, clock, keys, extensionUri, dist },
    extensionId: extension.id,
    memory: workspaceState,
    clear: (file, throughWarnings) => preflights.run(file, throughWarnings),
  };
  const preflights = registerPreflight(context, {
    ...{ dist, folders, clock, keys, log, failures },
    start: async (request) => (await import('./host/commands/start.ts')).begin(commands, request),
  });
  subscriptions.push(
    ...[folders, catalog, queue, service],
    registerContextKeys(catalog),
    registerCommands(commands),
    registerKeyCommands(keys),
    registerStatusBar(service, catalog),
    registerNotifications(service, catalog, failures),
    registerGuards({ catalog, service, failures, log }),
    registerResumption({ catalog, service, queue, failures, log, memory: workspaceState }),
  );

  registerSchemas(context, {
    'genenv.schema.json': async (describe) =>
      (await import('./shared/experiment/jsonSchema.ts')).experimentFileSchema(describe),
    'study.schema.json': async (describe) =>
      (await import('./features/study/core/jsonSchema.ts')).studyFileSchema(describe),
    'adapter.schema.json': async () => (await import('./shared/adapters/jsonSchema.ts')).adapterFileSchema(),
  });

  const open = new OpenRuns(catalog);
  subscriptions.push(open);
  const book = new NoteBook(clock, failures);
  subscriptions.push(book);
  const runsTree = registerRunsTree(context, { catalog, service, queue, open, book, failures });
  const { tasks, traces } = registerDocuments(context, { open, catalog, failures });
  registerRunner(context, { queue, catalog, folders, keys, failures, dist });
  registerNotes(context, { book, traces, failures });
  registerReattempt(context, { open, tasks, traces, failures, log, clock, dist, keys });
  registerSaves(context, { catalog, clock, folders, failures, keys });
  registerTalk(context, { catalog, clock, folders, failures, log, dist, keys });
  registerPlay(context, { catalog, clock, folders, failures, tasks, traces, log, dist, keys });
  const { caseTests, python, debugWork, debugConfigured } = registerRewards(context, {
    catalog,
    clock,
    open,
    failures,
    dist,
  });
  const domainCases = registerDomains(context, {
    catalog,
    clock,
    open,
    failures,
    log,
    keys,
    dist,
    python,
    debugWork,
    debugConfigured,
  });
  const curriculumCases = registerCurricula(context, { failures, dist, python, debugWork });
  registerRescore(context, { catalog, service, folders, open, tree: runsTree, failures, log, clock, dist });
  registerAudit(context, { catalog, clock, folders, failures });
  registerLabels(context, { catalog, clock, folders, failures });
  registerLinks(context, { catalog, tree: runsTree, open, failures });
  registerReport(context, { catalog, clock, folders, tree: runsTree, failures, dist });
  registerAttempts(context, { catalog, service, open, failures, log });
  registerTokens(context, { catalog, open, failures, log, clock, dist, keys: keys.quiet });
  registerSearch(context, { catalog, open, tasks, traces, failures, log, clock, dist });
  registerSeeds(context, { catalog, open, failures });
  registerTasks(context, { catalog, service, open, failures, log, clock, dist, keys: keys.quiet, tree: runsTree });
  registerCalibration(context, { catalog, service, tree: runsTree, failures, log, clock });
  registerSetup(context, failures);
  registerTerminal(context, { folders, dist, version, failures });
  registerEndpoints(context, {
    catalog,
    service,
    runsTree,
    failures,
    keys: keys.quiet,
    asking: keys,
    version,
    log,
    dist,
  });
  const benchmarks = registerBenchmarks(context, { catalog, open, failures, log, clock, dist, keys });
  const pools = registerPools(context, { catalog, service, folders, open, failures, clock });
  registerCompare(context, { catalog, failures, log, clock });
  registerRunTable(context, { catalog, service, failures, log, clock });
  registerStudies(context, { folders, failures, log });
  registerStudyForm(context, { catalog, queued: queue.studies, folders, failures, log, dist });
  registerExperiments(context, { catalog, service, queued: queue.studies, folders, failures, log, keys, dist });
  const data = new FoldedTrees('genenv.data');
  const reveal = (root: object) => data.show(root);
  const agents = registerAgents(context, { folders, failures, log, clock, dist, version, reveal });
  subscriptions.push(data);
  data.add(agents.proposals);
  data.add(pools);
  data.add(benchmarks);
  return { catalog, service, queue, runsTree, caseTests, domainCases, curriculumCases, agents };
}

/** Of our own manifest. Not by a schema: the first one that parses an object costs a third of activation. */
function versionOf({ packageJSON }: vscode.Extension<unknown>): string {
  const manifest: unknown = packageJSON;
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}

/** VS Code waits a few seconds for it: enough to end every run at a whole line. */
export async function deactivate(): Promise<void> {
  await running?.shutDown();
}
