/** The parts that an experiment names, and its work, in sentences. */
import * as l10n from '@vscode/l10n';
import { domainsOf, severalDomains, withDomain } from '../../../shared/experiment/tasks/domains.ts';
import { heldOutFile } from '../../../shared/experiment/tasks/heldOut.ts';
import type { Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { mostPerToken, pricesOf } from '../../../shared/money/prices.ts';
import { endsAtEarliest } from '../../../shared/money/untilEnd.ts';
import type { Ends, HeldOutTasks, Workload } from '../../../shared/experiment/workload.ts';
import { shippedWeights } from '../../../launch/policies/weightFiles.ts';
import { about } from './words.ts';
import { count, fixed } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';

/** The tasks for training and for measurement, which readers look for first. */
export function trainedOn(experiment: Experiment): string {
  const names = domainsOf(experiment).map(({ settings, share }) => {
    const name =
      settings.name === 'file' ? (settings.file ?? l10n.t('a domain file')) : l10n.t('the domain {0}', settings.name);
    return severalDomains(experiment) === null ? name : `${name} (${percent(share)})`;
  });
  const { agent, mode } = experiment;
  if (agent.train || mode === 'coevolve') return l10n.t('It trains on tasks of {0}.', names.join(', '));
  return l10n.t('It attempts tasks of {0}, and trains nothing.', names.join(', '));
}

/** Where its tasks come from. @param heldOut counted in its files */
export function filesSentence(experiment: Experiment, heldOut: HeldOutTasks): string {
  const { evaluation, generation, mode } = experiment;
  const several = severalDomains(experiment);
  const domains = domainsOf(experiment).map((part) => {
    const tasks = domainSentence(withDomain(experiment, part), heldOut.get(part.name) ?? 0);
    return several === null ? tasks : `${part.name} (${percent(part.share)}): ${tasks}`;
  });
  const offline =
    mode === 'offline' && generation.offlineFile !== null
      ? `, ${l10n.t('tasks made elsewhere from {0}', generation.offlineFile)}`
      : '';
  const measured =
    evaluation.every === 0 || evaluation.adapter === null
      ? ''
      : `, ${
          evaluation.every === 1
            ? l10n.t('evaluated on {0} every 1 epoch', evaluation.adapter)
            : l10n.t('evaluated on {0} every {1} epochs', evaluation.adapter, count(evaluation.every))
        }`;
  return `${domains.join('; ')}${offline}${measured}.`;
}

/** Base tasks and held-out tasks of one domain. */
function domainSentence({ domain, validation }: Experiment, held: number): string {
  const named = heldOutFile(domain);
  const from = domain.seeds ?? domain.file;
  const base =
    from !== null
      ? l10n.t('Base tasks from {0}', from)
      : domain.baseTasks === 1
        ? l10n.t('1 base task of the {0} domain', domain.name)
        : l10n.t('{0} base tasks of the {1} domain', count(domain.baseTasks), domain.name);
  const heldOut =
    validation.every === 0
      ? l10n.t('no validation')
      : held === 0
        ? l10n.t('none held out')
        : named === null
          ? l10n.t('{0} held out', count(held))
          : l10n.t('held out those of {0}', named);
  return `${base}, ${heldOut}`;
}

function startOf(endpoint: Endpoint): string {
  if (endpoint.kind !== 'embedded') return l10n.t('{0}, on its server', endpoint.model);
  const { weights } = endpoint;
  return shippedWeights(weights) === null ? weights : l10n.t('the shipped warm start “{0}”', weights);
}

/** The initial weights of both policies. */
export function weightsSentence({ endpoints }: Experiment): string {
  const of = (role: 'agent' | 'environment'): string => {
    const endpoint = endpoints[role];
    const source = startOf(endpoint);
    return role === 'agent' ? l10n.t('agent from {0}', source) : l10n.t('environment from {0}', source);
  };
  const shipped = (role: 'agent' | 'environment'): boolean => {
    const endpoint = endpoints[role];
    return endpoint.kind === 'embedded' && shippedWeights(endpoint.weights) === role;
  };
  if (shipped('agent') && shipped('environment'))
    return l10n.t('Agent and environment from their shipped warm starts.');
  return capitalised(`${of('agent')}, ${of('environment')}.`);
}

/** Money for tokens, as far as those of an attempted task tell; '' where tokens have no price. */
export function moneySentence({ endpoints }: Experiment, { tokens, billedPerToken, basis }: Workload): string {
  const prices = pricesOf(endpoints);
  if (prices === null) return '';
  const token = billedPerToken * mostPerToken(prices);
  if (token === 0) return '';
  return l10n.t(
    'Sampling costs at most {0} an epoch and {1} in all, every token at the price of answers, {2}; training comes on top.',
    fixed(tokens.epoch * token, 2),
    fixed(tokens.run * token, 2),
    {
      limits: l10n.t('prompts left out'),
      measured: l10n.t('at the lengths of the tasks tried'),
      run: l10n.t('at the tokens an attempt of that run'),
    }[basis],
  );
}

/** An earlier run on the same endpoints, and the same work by the tasks tried. */
export interface Beside {
  run: string | null;
  /** Null where no task was tried. */
  tried: Workload | null;
}

/** Attempts and tokens to expect, and the basis of the estimate; a sentence each. */
export function workSentences(work: Workload, beside: Beside = { run: null, tried: null }): string[] {
  const { rollouts, validation, evaluation, tokens, basis, ends, mayBeFewer, fewBase, spare, late } = work;
  const tokensText = (amount: number): string =>
    basis === 'limits' ? l10n.t('at most {0} tokens', about(amount)) : l10n.t('about {0} tokens', about(amount));
  const attempts = [
    mayBeFewer || fewBase || spare > 0
      ? l10n.t('at most {0} attempts', count(rollouts.epoch))
      : l10n.t('{0} attempts', count(rollouts.epoch)),
    ...(validation.run === 0
      ? []
      : [l10n.t('{0} at held-out tasks ({1} before the first)', about(validation.epoch), about(validation.start))]),
    ...(evaluation.run === 0
      ? []
      : [l10n.t('{0} at the benchmark ({1} before the first)', about(evaluation.epoch), about(evaluation.start))]),
  ].join(l10n.t(' and '));
  const all = about(rollouts.run + validation.run + evaluation.run);
  return [
    l10n.t('An epoch makes {0}: {1}.', attempts, tokensText(tokens.epoch)),
    l10n.t('{0}: {1}, {2} attempts.', scopeText(work), tokensText(tokens.run), all),
    ...basisSentences(work, beside),
    ...(mayBeFewer
      ? [
          l10n.t(
            'Families that cannot come into the band any more are cut off: their p̂ is of their first attempts, and the p̂ of all leans to those inside.',
          ),
        ]
      : []),
    ...(fewBase
      ? [
          l10n.t(
            'There are too few base tasks to fill every epoch: it attempts fewer where the pool or the environment gives fewer.',
          ),
        ]
      : []),
    ...(spare === 0
      ? []
      : [
          l10n.t(
            'Up to {0} of an epoch’s attempts are of groups that fall out (rollouts.spare): they cost and teach nothing, and the fast groups that count lean to short answers.',
            count(spare),
          ),
        ]),
    ...(late === 0
      ? []
      : [
          l10n.t(
            'Up to {0} of an epoch’s attempts count one epoch later (rollouts.late): its updates do not wait for them.',
            count(late),
          ),
        ]),
    ...(ends !== null && endsAtEarliest(work) ? [earliestText(ends)] : []),
  ];
}

/** Factor from which the tasks tried are shown beside the run: they differ from that run's. */
const apart = 1.5;

function basisSentences({ basis, tokens }: Workload, { run, tried }: Beside): string[] {
  if (basis === 'limits') return [l10n.t('Prompts are left out, and every text is taken to be as long as it may be.')];
  if (basis === 'measured' || run === null)
    return [l10n.t('At the lengths of the tasks tried; they change as the environment learns.')];
  const ratio = tried === null ? 1 : tried.tokens.epoch / Math.max(1, tokens.epoch);
  return [
    l10n.t('At the tokens an attempt of run “{0}” on the same endpoints.', run),
    ...(tried !== null && (ratio > apart || ratio < 1 / apart)
      ? [l10n.t('By the lengths of the tasks tried, an epoch would take about {0} tokens.', about(tried.tokens.epoch))]
      : []),
  ];
}

/** The epochs that the amounts stand for. */
function scopeText(work: Workload): string {
  const { ends, epochs } = work;
  if (ends === null || endsAtEarliest(work))
    return epochs === 1 ? l10n.t('1 epoch') : l10n.t('All {0} epochs', count(epochs));
  return epochs === 1
    ? l10n.t('Until {0} ends the run, after about 1 epoch', budgetText(ends))
    : l10n.t('Until {0} ends the run, after about {1} epochs', budgetText(ends), count(epochs));
}

function earliestText(ends: Ends): string {
  return ends.epochs === 1
    ? l10n.t('{0} may end the run before, after 1 epoch at the earliest.', capitalised(budgetText(ends)))
    : l10n.t(
        '{0} may end the run before, after {1} epochs at the earliest.',
        capitalised(budgetText(ends)),
        count(ends.epochs),
      );
}

const budgetText = ({ by }: Ends): string =>
  ({
    tokens: l10n.t('the budget of tokens'),
    rollouts: l10n.t('the budget of rollouts'),
    seconds: l10n.t('the budget of seconds'),
    hours: l10n.t('the budget of hours'),
    cost: l10n.t('the budget of money'),
  })[by];

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
