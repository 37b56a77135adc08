import { RemediedError } from '../../../shared/reasonedError.ts';

/** Why a conversation cannot be continued. `unanswered`: no policy gave an answer; `unjudged`: there is nothing to judge;
 * `changed`: it is another by now. */
export class TalkError extends RemediedError<'unanswered' | 'unjudged' | 'changed'> {
  override readonly name = 'TalkError';
}
