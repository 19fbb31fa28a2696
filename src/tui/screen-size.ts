/** The size of a terminal, or of a part of it, in cells. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}
