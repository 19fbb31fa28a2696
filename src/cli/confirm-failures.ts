/** A person was asked whether they are sure, and said no. */
export interface Declined {
  readonly kind: "declined";
  /** The command that does it without a question. */
  readonly command: string;
}

/** Something that cannot be taken back was asked for, and nobody is there to confirm it. */
export interface Unconfirmed {
  readonly kind: "unconfirmed";
  /** The command that does it without a question. */
  readonly command: string;
  /** What is to be confirmed, where it is not plain. */
  readonly why?: string | undefined;
}
