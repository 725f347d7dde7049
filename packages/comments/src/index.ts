/** Comments of people on a project. */
export { composeRequest, SENT_THREADS } from "./compose-request.ts";
export {
  COMMENT_CHARS,
  createProjectComments,
  type CommentedProject,
  type NewAnchor,
  type ProjectComments,
} from "./project-comments.ts";
