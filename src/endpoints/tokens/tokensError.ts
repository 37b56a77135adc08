import * as l10n from '@vscode/l10n';
import { RemediedError } from '../../shared/reasonedError.ts';

/**
 * Why text does not become tokens. `missing`: a file is not there; `format`: it is none a tokenizer is made from;
 * `template`: the chat template cannot render a conversation; `text`: a text has no tokens; `limit`: it takes
 * more time or memory than one may.
 */
export class TokensError extends RemediedError<'missing' | 'format' | 'template' | 'text' | 'limit'> {
  override readonly name = 'TokensError';

  constructor(reason: TokensError['reason'], message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(reason, message, options.remedy ?? l10n.t('Name another tokenizer in the endpoint’s "tokenizer".'), options);
  }
}
