/** What a status is asked for. */
export interface StatusQuestion {
  /** One role only. */
  readonly role: string | undefined;
  readonly filter: string | undefined;
  /** With what was changed since the save, from the transcripts. */
  readonly unsaved: boolean;
  /** The machines alone: no context file is looked at. */
  readonly brief: boolean;
  readonly json: boolean;
}
