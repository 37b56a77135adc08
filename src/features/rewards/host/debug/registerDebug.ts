/** Rewards under the debugger: the commands, and the debug configuration `genenv-reward`. */
import * as vscode from 'vscode';
import type { RewardOutcome } from '../../../../shared/rewards/outcome.ts';
import { defined } from '../../../../shared/defined.ts';
import type { Failures } from '../../../../host/feedback/failures.ts';
import { once } from '../../../../host/once.ts';
import { requireTrust } from '../../../../host/runs/steerError.ts';
import { runTargetSchema } from '../../../../host/trees/target.ts';
import { rewardOf } from '../../../../host/files/rewardFiles.ts';
import type { ShowNeeds } from '../showOutcomes.ts';
import type { DebugRequest } from './debugReward.ts';
import type { PickNeeds } from '../../../../host/debug/pickTrace.ts';
import { LastTraces } from '../../../../host/debug/lastTraces.ts';
import type { Subject } from './subjects.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';
import { registerCommand } from '../../../../host/commands/registerCommand.ts';

export interface DebugDeps extends PickNeeds {
  failures: Failures;
  /** The folder of built files. */
  dist: URL;
  /** The interpreter of a user's Python: a path or a name. */
  python: () => Promise<string>;
  show: () => ShowNeeds;
}

/** Debugs given attempts; undefined where that failed, which was reported. */
export type DebugCalls = (
  request: DebugRequest,
  token: vscode.CancellationToken,
) => Promise<readonly RewardOutcome[] | undefined>;

/**
 * Debugs any program of a user; undefined where that failed, which was reported, or where there was nothing to do.
 * @param failed "The reward was not debugged"
 */
export type DebugWork = <Outcome>(
  work: () => Promise<ProgramRequest<Outcome> | undefined>,
  token?: vscode.CancellationToken,
  failed?: () => string,
) => Promise<readonly Outcome[] | undefined>;

/** Work that a debug configuration asks for. */
interface ConfiguredWork<Outcome> {
  request: ProgramRequest<Outcome>;
  /** Attributes that are not for the debugger itself. */
  own: readonly string[];
  /** Receives the outcomes. */
  ended: (outcomes: readonly Outcome[]) => void;
}

/** A session started by a configuration; undefined where it failed, which was reported, or was cancelled. */
export type DebugConfigured = <Outcome>(
  configuration: vscode.DebugConfiguration,
  asked: () => Promise<ConfiguredWork<Outcome> | undefined>,
  failed: () => string,
) => Promise<vscode.DebugConfiguration | undefined>;

/** The argument of the key: without a question on the last trace. */
const again = 'again';

export function registerDebug(
  { subscriptions, workspaceState }: vscode.ExtensionContext,
  deps: DebugDeps,
): { debugCalls: DebugCalls; debugWork: DebugWork; debugConfigured: DebugConfigured } {
  const { failures, dist, python, show } = deps;
  const failed = (): string => vscode.l10n.t('The reward was not debugged');
  const guard = <T>(work: () => Promise<T>, told = failed): Promise<T | undefined> =>
    failures.guard(told(), async () => {
      try {
        return await work();
      } catch (error) {
        const { DebugpyMissing, tellMissing } = await import('../../../../host/debug/debugpy.ts');
        if (!(error instanceof DebugpyMissing)) throw error;
        // A command ends with its work; its message may stay until the user answers.
        void failures.guard(told(), () => tellMissing(error));
        return undefined;
      }
    });
  const sessions = once(async () => {
    const { DebugSessions } = await import('../../../../host/debug/debugSessions.ts');
    const made = new DebugSessions({ dist, python });
    subscriptions.push(made);
    return made;
  });
  const last = new LastTraces(workspaceState);
  const debug = (argument: unknown, subjectsOf: (reward: vscode.Uri) => Promise<readonly Subject[] | undefined>) =>
    guard(async () => {
      requireTrust();
      const reward = await rewardOf(argument, vscode.l10n.t('Debug which reward?'));
      if (reward === undefined) return undefined;
      const subjects = await subjectsOf(reward);
      if (subjects === undefined) return undefined;
      const { debugSubjects } = await import('./debugSubjects.ts');
      return debugSubjects({ sessions: await sessions(), show }, { reward, subjects });
    });
  const traceOf = async (argument: unknown) => {
    const title = vscode.l10n.t('Debug on which trace?');
    const { traceInFront } = await import('../../../../host/files/traceInFront.ts');
    return traceInFront(argument, title, async () =>
      (await import('../../../../host/debug/pickTrace.ts')).pickTrace(deps, title),
    );
  };
  subscriptions.push(
    registerCommand('genenv.debugReward', (argument: unknown) =>
      debug(argument === again ? undefined : argument, async (reward) => {
        const target =
          argument === again
            ? await (await import('./traceAgain.ts')).traceAgain({ ...deps, last }, reward)
            : await traceOf(argument);
        if (target !== undefined) await last.keep(reward, target);
        return target && [await (await import('./subjects.ts')).traceSubject(deps.open, target)];
      }),
    ),
    registerCommand('genenv.debugFailing', (argument: unknown) =>
      debug(argument, async () => {
        const given = argument instanceof vscode.Uri ? undefined : runTargetSchema.safeParse(argument).data;
        const { run, family, epoch, trace } = given ?? {};
        const known = run !== undefined && family !== undefined && trace === undefined;
        const target = known ? { run, family, ...defined({ epoch }) } : await traceOf(argument);
        return target && (await import('./subjects.ts')).familySubjects(deps.open, target, false);
      }),
    ),
    vscode.debug.registerDebugConfigurationProvider('genenv-reward', {
      resolveDebugConfiguration: (folder, configuration) =>
        guard(async () => {
          const { idOf } = await import('../../../../host/debug/debugSession.ts');
          // Ours, on its way to its debugger.
          if (idOf(configuration) !== null) return configuration;
          requireTrust();
          const { askedSubjects, ownAttributes } = await import('./askedSubjects.ts');
          const { withoutOwn } = await import('../../../../host/debug/asked.ts');
          const asked = await askedSubjects({ ...deps, last }, folder, configuration);
          if (asked === undefined) return undefined;
          const { debugConfiguration } = await import('./debugSubjects.ts');
          const needs = { sessions: await sessions(), show };
          const made = await debugConfiguration(needs, asked, (ended) => void failures.guard(failed(), ended));
          // Tasks before and after, and how it is presented, are kept.
          const { name = '', ...kept } = withoutOwn(configuration, ownAttributes);
          return { ...kept, ...made, name: name === '' ? made.name : name };
        }),
    }),
  );
  const debugWork: DebugWork = (work, token, told = failed) =>
    guard(async () => {
      const request = await work();
      if (request === undefined) return undefined;
      const { debugProgram } = await import('../../../../host/debug/debugProgram.ts');
      return debugProgram(await sessions(), request, token);
    }, told);
  const debugConfigured: DebugConfigured = (configuration, asked, told) =>
    guard(async () => {
      const { idOf, sessionName } = await import('../../../../host/debug/debugSession.ts');
      // Ours, on its way to its debugger.
      if (idOf(configuration) !== null) return configuration;
      requireTrust();
      const work = await asked();
      if (work === undefined) return undefined;
      const { request, own, ended } = work;
      const session = await (await sessions()).open(request);
      const made = session.configuration(sessionName(request));
      void guard(async () => ended(await session.finished), told);
      const { withoutOwn } = await import('../../../../host/debug/asked.ts');
      const { name = '', ...kept } = withoutOwn(configuration, own);
      return { ...kept, ...made, name: name === '' ? made.name : name };
    }, told);
  return {
    debugWork,
    debugConfigured,
    debugCalls: (request, token) =>
      debugWork(async () => (await import('./debugReward.ts')).rewardProgram(request), token),
  };
}
