import { RemediedError } from '../../../shared/reasonedError.ts';

/** Why a conversation cannot be continued. `unanswered`: no policy gave an answer; `unjudged`: there is nothing to judge. */
export class TalkError extends RemediedError<'unanswered' | 'unjudged'> {
  override readonly name = 'TalkError';
}
