/** An error that stops the official program itself, so that there is no verdict to agree with. */
export class OfficialStop extends Error {
  readonly reason = 'official-stop';

  constructor(what: string) {
    super(`the official program stops here: ${what}`);
    this.name = 'OfficialStop';
  }
}
