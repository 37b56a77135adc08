/** Numbers between the words: reward and advantage, tokens and surprise of each turn, the least expected words. */
import * as vscode from 'vscode';
import { count, number } from '../../shared/text/figures/numbers.ts';
import { signed } from '../../shared/text/figures/shares.ts';
import { computationText, noAdvantage } from './layout/computationWords.ts';
import { marksOf, type LaidOut } from './layout/page.ts';

/**
 * A hint wraps between its parts: in half an editor's width “reward” would stand without its number. The editor wraps
 * after a point, too, so that numbers are as short as can be.
 */
const together = (label: string): string => label.replaceAll(/(?<!·) (?!·)/g, '\u00a0');

/** Hints of the lines in a range. */
export function hintsOf(laidOut: LaidOut, range: vscode.Range): vscode.InlayHint[] {
  const inside = ({ line }: { line: number }): boolean => line >= range.start.line && line <= range.end.line;
  const hint = (line: number, at: number, label: string, tooltip: string): vscode.InlayHint => {
    const made = new vscode.InlayHint(new vscode.Position(line, at), together(label));
    made.paddingLeft = true;
    made.tooltip = new vscode.MarkdownString(tooltip);
    return made;
  };
  const rewards = marksOf(laidOut, 'reward');
  const [own] = rewards;
  return [
    ...rewards.filter(inside).map(({ line, end, means: { computation } }) => {
      const { advantage } = computation;
      const label =
        advantage === null ? vscode.l10n.t('no advantage') : vscode.l10n.t('advantage {0}', signed(advantage, 2));
      return hint(line, end, label, noAdvantage(computation) ?? computationText(computation));
    }),
    ...marksOf(laidOut, 'turn')
      .filter(inside)
      .flatMap(({ line, end, means: { final, tokens, surprise } }) => {
        const reward =
          final && own !== undefined ? [vscode.l10n.t('reward {0}', number(own.means.computation.reward))] : [];
        const length = tokens === 0 ? [] : [vscode.l10n.t('{0} tokens', count(tokens))];
        const nats =
          surprise === null
            ? []
            : [vscode.l10n.t('surprise {0}, at most {1}', number(surprise.mean), number(surprise.most))];
        const said = [...reward, ...length, ...nats];
        const tooltip = vscode.l10n.t(
          'Surprise is −logprob in nats under the policy that sampled it: the mean of the turn’s tokens, and the least expected one.',
        );
        return said.length === 0 ? [] : [hint(line, end, said.join(' · '), tooltip)];
      }),
    ...marksOf(laidOut, 'surprising')
      .filter(inside)
      .map(({ line, end, means: { nats } }) =>
        hint(
          line,
          end,
          vscode.l10n.t('surprise {0}', number(Number(nats.toFixed(1)))),
          vscode.l10n.t('Surprise {0} nats: the agent gave this word p = {1}.', number(nats), number(Math.exp(-nats))),
        ),
      ),
  ];
}
