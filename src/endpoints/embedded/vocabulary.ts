/** Words ↔ ids. Text is words joined by single spaces; there are no sub-word pieces, so an unknown word is an error. */
import * as l10n from '@vscode/l10n';
import { EmbeddedError } from './errors.ts';

export class Vocabulary {
  readonly words: readonly string[];
  /** Id of the word that ends a completion. */
  readonly end: number;
  readonly #ids: ReadonlyMap<string, number>;

  constructor(words: readonly string[], end: string) {
    this.words = words;
    this.#ids = new Map(words.map((word, id) => [word, id]));
    this.end = this.id(end);
  }

  id(word: string): number {
    const id = this.#ids.get(word);
    if (id === undefined) {
      throw new EmbeddedError(
        'vocabulary',
        l10n.t(
          "The embedded model does not know the word '{0}': its vocabulary has {1} words. Use a task domain written in this vocabulary, or another endpoint.",
          word,
          this.words.length,
        ),
      );
    }
    return id;
  }

  encode(text: string): number[] {
    return text.split(/\s+/).flatMap((word) => (word === '' ? [] : [this.id(word)]));
  }

  /** Words of the ids, without the end word. */
  decode(tokens: readonly number[]): string {
    return tokens.flatMap((id) => (id === this.end ? [] : [this.word(id)])).join(' ');
  }

  word(id: number): string {
    const word = this.words[id];
    if (word === undefined) throw unknownToken(id, this.words.length);
    return word;
  }

  /** Throws unless every id is one of this vocabulary's. */
  check(tokens: readonly number[]): void {
    for (const id of tokens)
      if (!Number.isInteger(id) || id < 0 || id >= this.words.length) throw unknownToken(id, this.words.length);
  }
}

function unknownToken(id: number, size: number): EmbeddedError {
  return new EmbeddedError(
    'vocabulary',
    l10n.t("Token {0} is not one of this model's {1} words: the tokens were sampled from another model.", id, size),
  );
}
