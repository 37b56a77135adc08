/** The parts that an experiment names, and its work, in sentences. */
import { domainsOf, severalDomains, withDomain } from '../../../shared/experiment/tasks/domains.ts';
import { limits } from '../../../shared/experiment/limits.ts';
import { hasOwnTasks, programName } from '../../../shared/experiment/tasks/shippedDomains.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { pricesOf } from '../../../shared/money/prices.ts';
import type { Workload } from '../../../shared/experiment/workload.ts';
import { shippedWeights } from '../../../launch/policies/weightFiles.ts';
import { about, count, plural } from './words.ts';

/** The tasks for training and for measurement, which readers look for first. */
export function trainedOn(experiment: Experiment): string {
  const names = domainsOf(experiment).map(({ settings, share }) => {
    const name = settings.name === 'file' ? (settings.file ?? 'a domain file') : `the domain ${settings.name}`;
    return severalDomains(experiment) === null ? name : `${name} (${percent(share)})`;
  });
  const { agent, mode } = experiment;
  if (agent.train || mode === 'coevolve') return `It trains on tasks of ${names.join(', ')}.`;
  return `It attempts tasks of ${names.join(', ')}, and trains nothing.`;
}

/** Where its tasks come from. */
export function filesSentence(experiment: Experiment): string {
  const { evaluation, generation, mode } = experiment;
  const several = severalDomains(experiment);
  const domains = domainsOf(experiment).map((part) => {
    const tasks = domainSentence(withDomain(experiment, part));
    return several === null ? tasks : `${part.name} (${percent(part.share)}): ${tasks}`;
  });
  const offline =
    mode === 'offline' && generation.offlineFile !== null
      ? `, tasks made elsewhere from ${generation.offlineFile}`
      : '';
  const measured =
    evaluation.every === 0 || evaluation.adapter === null
      ? ''
      : `, evaluated on ${evaluation.adapter} every ${plural(evaluation.every, 'epoch')}`;
  return `${domains.join('; ')}${offline}${measured}.`;
}

/** Base tasks and held-out tasks of one domain. */
function domainSentence({ domain, validation }: Experiment): string {
  const own = limits.tasks(domain.name);
  const named = domain.name === 'storekeeper' ? null : (domain.heldOut ?? programName(domain));
  const from = domain.seeds ?? domain.file;
  const base =
    from === null ? `${plural(domain.baseTasks, 'base task')} of the ${domain.name} domain` : `Base tasks from ${from}`;
  const heldOut =
    validation.every === 0
      ? 'no validation'
      : named === null && hasOwnTasks(domain)
        ? `${count(Math.min(validation.tasks, own.validation))} held out`
        : named === null
          ? 'none held out'
          : `held out those of ${named}`;
  return `${base}, ${heldOut}`;
}

const percent = (share: number): string => `${Math.round(100 * share)}\u00A0%`;

/** The initial weights of both policies. */
export function weightsSentence({ endpoints }: Experiment): string {
  const of = (role: 'agent' | 'environment'): string => {
    const endpoint = endpoints[role];
    if (endpoint.kind !== 'embedded') return `${role} from ${endpoint.model}, on its server`;
    const { weights } = endpoint;
    return `${role} from ${shippedWeights(weights) === null ? weights : `the shipped warm start “${weights}”`}`;
  };
  const shipped = (role: 'agent' | 'environment'): boolean => {
    const endpoint = endpoints[role];
    return endpoint.kind === 'embedded' && shippedWeights(endpoint.weights) === role;
  };
  if (shipped('agent') && shipped('environment')) return 'Agent and environment from their shipped warm starts.';
  const text = `${of('agent')}, ${of('environment')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Money for tokens, as far as those of an attempted task tell; '' where tokens have no price. */
export function moneySentence({ endpoints }: Experiment, { tokens, basis }: Workload): string {
  const prices = pricesOf(endpoints);
  if (prices === null) return '';
  const token = Math.max(prices.agent.sampled, prices.environment.sampled);
  const sold =
    token === 0
      ? ''
      : ` Sampling costs at most ${(tokens.epoch * token).toFixed(2)} an epoch and ${(tokens.run * token).toFixed(2)} in all, ` +
        `every token at the price of answers, ${basis === 'limits' ? 'prompts left out' : 'at the lengths of the tasks tried'}; training comes on top.`;
  return sold;
}

/** The expected cost, and the basis of the estimate. */
export function workSentence({
  rollouts,
  validation,
  evaluation,
  tokens,
  epochs,
  basis,
  ends,
  mayBeFewer,
  spare,
}: Workload): string {
  const heldOut = (amount: number): string => (validation.run === 0 ? '' : ` and ${about(amount)} at held-out tasks`);
  const most = basis === 'limits' ? 'at most ' : 'about ';
  const onBenchmark = evaluation.run === 0 ? '' : ` and ${about(evaluation.epoch)} at the benchmark`;
  const epoch = `An epoch makes ${mayBeFewer || spare > 0 ? 'at most ' : ''}${count(rollouts.epoch)} attempts${heldOut(validation.epoch)}${onBenchmark}: ${most}${about(tokens.epoch)} tokens.`;
  const run = `${plural(epochs, 'epoch')}: ${most}${about(tokens.run)} tokens, ${about(rollouts.run + validation.run + evaluation.run)} attempts.`;
  const how =
    basis === 'limits'
      ? 'Prompts are left out, and every text is taken to be as long as it may be.'
      : 'At the lengths of the tasks tried; they change as the environment learns.';
  const early =
    ends === null ? '' : ` The budget of ${ends.by} ends the run after about ${plural(ends.epochs, 'epoch')}.`;
  const cut = mayBeFewer
    ? ' Families that cannot come into the band any more are cut off: their p̂ is of their first attempts, and the p̂ of all leans to those inside.'
    : '';
  const out =
    spare === 0
      ? ''
      : ` Up to ${count(spare)} of an epoch’s attempts are of groups that fall out (rollouts.spare): they cost and teach nothing, and the fast groups that count lean to short answers.`;
  return `${epoch} ${run} ${how}${cut}${out}${early}`;
}
