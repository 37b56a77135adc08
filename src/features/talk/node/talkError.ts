import { RemediedError } from '../../../shared/reasonedError.ts';

/** Why a conversation cannot be continued. `unanswered`: no policy gave an answer; `led`: a program leads attempts at the task. */
export class TalkError extends RemediedError<'unanswered' | 'led'> {
  override readonly name = 'TalkError';
}
