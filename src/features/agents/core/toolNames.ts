/** Names of the tools, apart from their code: the editor registers them before it loads that. */
export const toolNames = [
  'list_runs',
  'read_run',
  'list_tasks',
  'read_task',
  'list_traces',
  'read_trace',
  'search_traces',
  'compare_runs',
  'list_studies',
  'read_study',
  'search_docs',
  'list_proposals',
  'propose_change',
  'start_run',
  'pause_run',
  'branch_run',
] as const;

/** In the editor, where tools of all extensions stand side by side. */
export const editorToolName = (name: string): string => `genenv_${name}`;
