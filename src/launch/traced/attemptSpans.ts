/** One attempt as spans: itself first, then its calls of the model, its tools and its judge. */
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { smallest } from '../../shared/extremes.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { callAttributes, cut, messagesText, modelOf } from './callAttributes.ts';
import type { Pending } from './pending.ts';
import { spanIdOf, traceIdOf, type Attributes, type Span } from './span.ts';
import type { ToolStep } from './watchedPorts.ts';

interface Around {
  run: string;
  parent: string;
  endpoint: Endpoint;
  content: boolean;
  now: number;
}

export function attemptSpans(
  record: Trace,
  { calls, steps, judged }: ReturnType<Pending['take']>,
  { run, parent, endpoint, content, now }: Around,
): Span[] {
  const id = spanIdOf(run, 'attempt', record.id);
  const place = { trace: traceIdOf(run, record.epoch), parent: id };
  const spanOf = (kind: string, i: number): string => spanIdOf(run, kind, record.id, i);
  const about = { 'gen_ai.conversation.id': record.id };
  const { verdict } = record;
  const begun = [...calls, ...steps].map(({ start }) => start);
  const end = Math.max(judged?.end ?? now, now);
  return [
    {
      ...{ ...place, id, parent, name: 'invoke_agent agent', kind: 'internal' },
      ...{ start: smallest([judged?.start ?? end, ...begun]), end },
      attributes: {
        ...{
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'agent',
          'gen_ai.agent.version': record.version,
        },
        ...about,
        ...{ 'genenv.task': record.task, 'genenv.family': record.family, 'genenv.epoch': record.epoch },
        ...{ 'genenv.purpose': record.purpose, 'genenv.success': verdict.success, 'genenv.reward': verdict.reward },
        ...{ 'genenv.valid': verdict.valid, 'genenv.stop_reason': record.stopReason },
      },
      events: [
        {
          ...{ name: 'gen_ai.evaluation.result', at: judged?.end ?? end },
          attributes: {
            'gen_ai.evaluation.name': 'verdict',
            'gen_ai.evaluation.score.value': verdict.reward,
            'gen_ai.evaluation.score.label': verdict.success ? 'pass' : 'fail',
            ...(content && { 'gen_ai.evaluation.explanation': verdict.note }),
          },
        },
      ],
      ...(verdict.error !== undefined && { error: content ? cut(verdict.error) : 'The checker failed.' }),
    },
    ...calls.map((call, i): Span => ({
      ...{ ...place, id: spanOf('call', i), name: `chat ${modelOf(endpoint, call.version)}`, kind: 'client' },
      ...{ start: call.start, end: call.end },
      attributes: { ...callAttributes(call, endpoint, content), ...about },
    })),
    ...steps.map((step, i): Span => ({ ...place, id: spanOf('step', i), ...stepOf(step, content, about) })),
    ...(judged === undefined
      ? []
      : [
          {
            ...{ ...place, id: spanOf('judge', 0), name: 'judge', kind: 'internal', ...judged },
            attributes: { ...about, 'genenv.reward': verdict.reward, 'genenv.success': verdict.success },
          } satisfies Span,
        ]),
  ];
}

/** A step's span, but for its place. */
export const stepOf = (
  step: ToolStep,
  content: boolean,
  about: Attributes = {},
): Omit<Span, 'trace' | 'id' | 'parent'> => ({
  ...{ name: `execute_tool ${toolOf(step)}`, kind: 'internal', start: step.start, end: step.end },
  attributes: {
    ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': toolOf(step), ...about },
    ...(content && {
      'gen_ai.tool.call.arguments': cut(step.action),
      'gen_ai.tool.call.result': messagesText(step.answer),
    }),
  },
  ...(step.error !== undefined && { error: content ? cut(step.error) : 'The episode died.' }),
});

/** The tool that answered; an environment that answers as a whole is one. */
const toolOf = ({ answer }: ToolStep): string => answer.find(({ name }) => name !== undefined)?.name ?? 'environment';
