export type { ProjectState as ProjectView } from "@treadle/protocol/fold";
