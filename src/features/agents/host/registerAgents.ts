/** Coding agents in the editor: the server's definition, tools for its language models, and proposals for its person. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { withMarksShown } from '../../../shared/text/hiddenMarks.ts';
import { editorToolName, toolNames } from '../core/toolNames.ts';
import { proposalsRoot, ProposalsView, type WaitingProposal } from './proposalsView.ts';
import { mayStart, ServerDefinitions } from './serverDefinitions.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface AgentsNeeds {
  folders: RunFolders;
  failures: Failures;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  version: string;
  /** Shows the root of the proposals in its view. */
  reveal: (root: object) => Promise<void>;
}

/** For tests. */
export interface ShownAgents {
  readonly definitions: ServerDefinitions;
  readonly proposals: ProposalsView;
}

/** Tools that do more than read. */
const changing: ReadonlySet<string> = new Set(['propose_change', 'start_run', 'pause_run', 'branch_run']);

/** Characters of what an agent says of itself in a message. */
const longest = 200;
const said = (text: string): string => withMarksShown(text.length > longest ? `${text.slice(0, longest)}…` : text);

export function registerAgents({ subscriptions }: vscode.ExtensionContext, needs: AgentsNeeds): ShownAgents {
  const { folders, failures, log, clock } = needs;
  const definitions = new ServerDefinitions(needs);
  const proposals = new ProposalsView(folders, clock, (error) =>
    log.error(error instanceof Error ? error : String(error)),
  );
  const answering = once(() => import('./answerProposals.ts'));
  type Answering = Awaited<ReturnType<typeof answering>>;
  const act = (failed: string, argument: unknown, work: (how: Answering, waiting: WaitingProposal) => Promise<void>) =>
    failures.guard(failed, async () => {
      const how = await answering();
      const waiting = await how.waitingOf(proposals, argument);
      if (waiting !== undefined) await work(how, waiting);
    });
  const show = (argument: unknown) =>
    act(vscode.l10n.t('The proposal was not shown'), argument, (how, waiting) => how.showProposal(waiting));
  const refuse = (argument: unknown) =>
    act(vscode.l10n.t('The proposal was not refused'), argument, (how, waiting) =>
      how.refuseProposal(proposals, waiting),
    );
  subscriptions.push(
    definitions,
    proposals,
    vscode.lm.registerMcpServerDefinitionProvider('genenv.runs', definitions),
    ...toolNames.map((name) => vscode.lm.registerTool(editorToolName(name), modelTool(name, needs))),
    registerCommand('genenv.openProposal', show),
    registerCommand('genenv.refuseProposal', refuse),
    registerCommand('genenv.acceptProposal', (argument: unknown) =>
      act(vscode.l10n.t('The proposal was not accepted'), argument, (how, waiting) =>
        how.acceptProposal(proposals, waiting),
      ),
    ),
    proposals.onDidCome((fresh) => void tell(fresh, show, refuse, () => needs.reveal(proposalsRoot))),
  );
  return { definitions, proposals };
}

async function tell(
  [first, ...others]: readonly WaitingProposal[],
  show: (waiting: WaitingProposal) => unknown,
  refuse: (waiting: WaitingProposal) => unknown,
  list: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return;
  const look = vscode.l10n.t('Show Difference');
  if (others.length > 0) {
    const all = vscode.l10n.t('Show Proposals');
    const message = vscode.l10n.t('{0} proposals of coding agents wait for you.', others.length + 1);
    const chosen = await vscode.window.showInformationMessage(message, all);
    if (chosen === all) await list();
    return;
  }
  const { by, file, why } = first.proposal;
  const no = vscode.l10n.t('Refuse');
  const message = vscode.l10n.t('{0} proposes a change of “{1}”: {2}', said(by), said(file), said(why));
  const chosen = await vscode.window.showInformationMessage(message, look, no);
  if (chosen === look) await show(first);
  else if (chosen === no) await refuse(first);
}

function modelTool(name: (typeof toolNames)[number], needs: AgentsNeeds): vscode.LanguageModelTool<unknown> {
  const { folders, log, clock, version, dist } = needs;
  return {
    async invoke({ input }) {
      if (folders.all.length === 0) return result('No folder is open: there are no runs to read.');
      if (changing.has(name) && !vscode.workspace.isTrusted) {
        return result('This folder is in Restricted Mode: agents read only. A person trusts the folder first.');
      }
      const { callTool } = await import('./modelTools.ts');
      const place = {
        folders: folders.all,
        dist,
        mayAct: mayStart(),
        scheme: vscode.env.uriScheme,
        version,
        by: vscode.env.appName,
        clock,
        log,
      };
      return result((await callTool(name, input, place)).text);
    },
  };
}

const result = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
