/** A project's design tokens. */
export {
  proposeFromDesign,
  proposeFromExport,
  proposeFromLook,
  type ProposedDesign,
} from "./proposals/propose-design.ts";
export {
  type DesignOptions,
  type DesignWrite,
  planDesignEdits,
  readProjectDesign,
} from "./tokens/project-design.ts";
export type { EditRefusal } from "./tokens/edit-design.parser.ts";
