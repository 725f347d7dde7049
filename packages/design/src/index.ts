/** A project's design tokens. */
export {
  proposeFromDesign,
  proposeFromExport,
  type ProposedDesign,
} from "./proposals/propose-design.ts";
export {
  type DesignOptions,
  type DesignWrite,
  planDesignEdits,
  readProjectDesign,
} from "./tokens/project-design.ts";
export { proposeFromLook } from "./proposals/propose-from-look.ts";
export type { EditRefusal } from "./tokens/edit-design.parser.ts";
