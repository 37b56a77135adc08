/** Every tool that agents have: the server and the editor offer the same ones. */
import type { Tool } from '../core/tool.ts';
import type { AgentContext } from './agentContext.ts';
import { branchRunTool, pauseRun, startRun } from './tools/act.ts';
import { compareRuns } from './tools/compare.ts';
import { searchDocs } from './tools/docs.ts';
import { listProposals, proposeChange } from './tools/propose.ts';
import { listRuns, readRun } from './tools/runs.ts';
import { listStudies, readStudyTool } from './tools/studies.ts';
import { listTasks, readTask } from './tools/tasks.ts';
import { listTraces, readTrace, searchTraces } from './tools/traces.ts';

export const tools: readonly Tool<AgentContext>[] = [
  listRuns,
  readRun,
  listTasks,
  readTask,
  listTraces,
  readTrace,
  searchTraces,
  compareRuns,
  listStudies,
  readStudyTool,
  searchDocs,
  listProposals,
  proposeChange,
  startRun,
  pauseRun,
  branchRunTool,
];

/** Those that a caller has: in an untrusted workspace only what reads. */
export const toolsFor = ({ readOnly }: { readOnly: boolean }): readonly Tool<AgentContext>[] =>
  readOnly ? tools.filter(({ does }) => does === 'read') : tools;
