/** A model's text that is no call in the language asked for. */
export class DecodeFault extends Error {
  readonly reason = 'decode';

  constructor(message: string) {
    super(message);
    this.name = 'DecodeFault';
  }
}
