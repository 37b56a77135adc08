/** The run's course through difficulty and success, with related figures of the policies' updates. */
import { measure, rate } from '../../src/shared/text/figures/numbers.ts';
import { phaseChart } from '../charts/phase/phaseChart.ts';
import { pathWindow, phaseMeasures, phasePoints, type PhaseMeasure } from '../charts/phase/phaseCourse.ts';
import { element } from '../lib/element.ts';
import { MeasureChoice } from '../lib/measureChoice.ts';
import { cell, type Context } from './context.ts';
import { figure, missingFigure, policyFigure } from './figure.ts';
import { measureName, phaseNote, phaseReading } from './phaseWords.ts';
import { columns, section } from './section.ts';
import { versionsFigure } from './versions/versionsFigure.ts';

export function phaseSection(context: Context): HTMLElement {
  const content = section('phase-portrait', 'Phase portrait');
  const measures = phaseMeasures(context.data.epochs);
  const choice = new MeasureChoice((name) => show(measures.find((one) => measureName(one) === name)));
  content.append(choice.node);
  const place = element('div', { class: 'phase-place' });
  content.append(place);
  const show = (of: PhaseMeasure | undefined): void => {
    if (of === undefined) return;
    choice.update(measures.map(measureName), measureName(of));
    place.replaceChildren(portrait(context, of, measures));
  };
  show(measures[0]);
  if (context.domain !== null) return content;
  content.append(columns(entropyFigure(context), gradientFigure(context)));
  const versions = versionsFigure(context);
  if (versions !== null) content.append(versions);
  return content;
}

function portrait({ data }: Context, of: PhaseMeasure, measures: readonly PhaseMeasure[]): HTMLElement {
  const title = 'Difficulty against success';
  const points = phasePoints(data.epochs, of);
  const band = data.epochs.findLast(({ successRate }) => successRate !== null)?.curriculum;
  if (points.length === 0 || band === undefined)
    return missingFigure('phase', title, 'No epoch has been measured yet.');
  const reading = phaseReading(points, of);
  const name = measureName(of);
  const chart = phaseChart(() => ({
    name: 'Phase portrait',
    reading,
    difficulty: `${name}, mean over the epoch`,
    measure: name,
    points,
    band,
  }));
  const measured = data.epochs.filter(({ successRate }) => successRate?.p != null);
  const twin = {
    columns: ['Epoch', ...measures.map(measureName), 'p̂', 'low', 'high', 'Written by', 'Attempted by'],
    rows: () =>
      measured.map((row) => [
        String(row.epoch),
        ...measures.map(({ value }) => cell(value(row), measure)),
        cell(row.successRate?.p, rate),
        cell(row.successRate?.low, rate),
        cell(row.successRate?.high, rate),
        row.versions.environment,
        row.versions.agent,
      ]),
  };
  const note = phaseNote(points, pathWindow(points.length));
  return figure({ id: 'phase', title, reading, chart: chart.node, twin, note });
}

const entropyFigure = (context: Context): HTMLElement =>
  policyFigure(context, {
    ...{ id: 'entropy', title: 'Entropy of the policies', unit: 'nats per token' },
    agent: ({ agent }) => agent.entropy,
    environment: ({ environment }) => environment.entropy,
    missing: 'No entropy has been measured.',
  });

const gradientFigure = (context: Context): HTMLElement =>
  policyFigure(context, {
    ...{ id: 'gradients', title: 'Gradient norms', unit: 'L2 norm before clipping, last step' },
    agent: ({ agent }) => agent.gradNorm,
    environment: ({ environment }) => environment.gradNorm,
    missing: 'No gradient norm was told.',
  });
