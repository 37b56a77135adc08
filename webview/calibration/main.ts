/** The calibration dashboard: one run's difficulty, live, and under other settings. */
import '../lib/l10n.ts';
import type * as z from 'zod';
import { failureOf } from '../../src/shared/rpc/rpcError.ts';
import { calibrationEvents, calibrationRequests } from '../../src/features/calibration/contract.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import * as l10n from '@vscode/l10n';
import { branchChanges, changedFields, changesText } from './changes.ts';
import { FamilyNames } from './familyNames.ts';
import { navigationSchema, start } from './navigation.ts';
import { Page } from './page.ts';
import { RunModel } from './runModel.ts';

const model = new RunModel();
const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});
const names = new FamilyNames((epoch) => channel.call(calibrationRequests.details, { epoch }));

const page = new Page(model, names, restore(navigationSchema) ?? start(''), {
  keep,
  save: (file) => ask(channel.call(calibrationRequests.save, file)),
  steer: (action, epoch) => ask(channel.call(calibrationRequests.steer, { action, epoch })),
  family: (epoch, family) => ask(channel.call(calibrationRequests.reveal, { epoch, family })),
  filter: ({ epochs, rates }) =>
    ask(channel.call(calibrationRequests.filter, { epochs: [...epochs], successRate: [...rates] })),
  branch: (settings) => {
    const { facts } = model;
    if (facts === null) return;
    const changes = branchChanges(facts.curriculum, settings);
    ask(channel.call(calibrationRequests.steer, { action: 'branch', epoch: null, changes }));
  },
  apply: (settings) => {
    const { facts } = model;
    if (facts === null) return;
    const changes = changedFields(facts.curriculum, settings);
    const text = changesText(facts.curriculum, settings);
    ask(channel.call(calibrationRequests.apply, { changes }), () =>
      page.tell(l10n.t('{0} was requested. The charts mark it once it takes effect.', text)),
    );
  },
});
const loading = new Loading(page.node);

/** A failure is shown where the request was made. */
function ask(answer: Promise<unknown>, done: () => void = () => undefined): void {
  answer.then(done, (error: unknown) => {
    const { message, remedy } = failureOf(error);
    page.tell(message, remedy);
  });
}

const { opened, data, complete, facts, progress, failed } = calibrationEvents;

channel.on(opened, (snapshot) => {
  model.open(snapshot.facts, snapshot.progress);
  names.clear();
  const { run } = snapshot.facts;
  const kept = page.navigation;
  const navigation = kept.run === run ? kept : start(run);
  // The host restores the panel from the saved state, so it is saved at once.
  keep(navigation);
  loading.done();
  page.open(navigation);
});
channel.on(data, (news) => {
  model.add(news);
  page.update();
});
channel.on(complete, () => {
  model.complete = true;
  page.update();
});
channel.on(facts, (news) => {
  model.facts = news;
  page.update();
});
channel.on(progress, (news: z.infer<typeof progress.params>) => {
  model.progress = news;
  page.updateProgress();
});
channel.on(failed, (failure) => {
  model.failure = failure;
  page.update();
});
