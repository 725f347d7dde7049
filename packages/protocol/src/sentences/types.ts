/** A value of a sentence: a name, a number, the output of a program, or other sentences. */
export type CodedValue = string | number | CodedText | readonly (string | CodedText)[];

/**
 * The meaning of a sentence, for readers that write it in their own words or language; it accompanies the English text
 * in events, evidence and findings. A code and the names of its values never change their meaning; a reader that does
 * not know a code shows the text.
 */
export interface CodedText {
  code: string;
  values?: Record<string, CodedValue>;
}

/** A sentence in English, with its meaning. `coded` is absent for text of a model, a person or a program. */
export interface Sentence {
  readonly text: string;
  readonly coded?: CodedText | undefined;
}

/** A sentence as the fields of an error. */
export interface Message {
  message: string;
  messageCode?: CodedText | undefined;
}

/** A value as displayed in its sentence: lists are already joined. */
export type Value = string | number;
