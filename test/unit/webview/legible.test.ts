import assert from 'node:assert/strict';
import { leastContrast, legible } from '../../../webview/lib/colours/legible.ts';
import { allEyes, contrast, distance } from '../../support/colourScience.ts';
import { ownColours } from '../../support/ownColours.ts';
import { builtInThemes } from '../../support/webviews/builtInThemes.ts';

const least = new Map<string, number>(Object.entries(leastContrast));
const leastOf = (colour: string): number => least.get(colour) ?? assert.fail(`no least contrast for ${colour}`);

describe('the colours of charts, fitted to a background', () => {
  it('stay as they are on every theme that comes with the editor', () => {
    assert.ok(builtInThemes.length >= 15, `${builtInThemes.length} themes`);
    const changed = builtInThemes.flatMap(({ name, kind, background }) =>
      Object.entries(ownColours(kind)).flatMap(([colour, value]) => {
        const ratio = contrast(value, background);
        assert.ok(ratio >= leastOf(colour), `${colour} ${value} on ${background} of ${name}: ${ratio.toFixed(2)}`);
        const fitted = legible(value, background, leastOf(colour));
        return fitted === value ? [] : [`${colour} on ${name}: ${value} to ${fitted}`];
      }),
    );
    assert.deepEqual(changed, []);
  });

  it('stand out from any background, also a grey one of a theme of others', () => {
    for (let level = 0; level < 4096; level += 7) {
      const background = `#${level.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`;
      for (const kind of ['dark', 'light'] as const) {
        for (const [colour, value] of Object.entries(ownColours(kind))) {
          const fitted = legible(value, background, leastOf(colour));
          assert.ok(
            contrast(fitted, background) >= leastOf(colour),
            `${colour} ${value} as ${fitted} on ${background}`,
          );
        }
      }
    }
  });

  it('are told apart by eyes that lack a kind of cone', () => {
    for (const { name, kind, background } of builtInThemes) {
      const colours = Object.entries(ownColours(kind)).map(
        ([colour, value]) => [colour, legible(value, background, leastOf(colour))] as const,
      );
      for (const eye of allEyes) {
        const far = eye === 'trichromat' ? 0.12 : 0.06;
        const close = colours.flatMap(([one, a], i) =>
          colours.slice(i + 1).flatMap(([other, b]) => {
            const apart = distance(a, b, eye);
            return apart >= far ? [] : [`${one} and ${other}, ${name}, ${eye}: ${apart.toFixed(3)}`];
          }),
        );
        assert.deepEqual(close, []);
      }
    }
  });
});
