/** A bench inside the extension host tells its figures on lines of the report. */
import * as z from 'zod';
import type { Figure } from '../figure.ts';

const prefix = 'FIGURE ';
const schema = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  budget: z.number().optional(),
  better: z.enum(['higher', 'lower']).optional(),
  note: z.string().optional(),
});

export function tellFigure(figure: Figure): void {
  console.log(`${prefix}${JSON.stringify(figure)}`);
}

export function figuresIn(report: string): Figure[] {
  const told = report.split('\n').filter((line) => line.startsWith(prefix));
  return told.map((line) => {
    const { budget, better, note, ...rest } = schema.parse(JSON.parse(line.slice(prefix.length)));
    return {
      ...rest,
      ...(budget !== undefined && { budget }),
      ...(better !== undefined && { better }),
      ...(note !== undefined && { note }),
    };
  });
}
