/** The tools and parameters of Cline's tag dialect, so that its saved answers can be read. */
export const CLINE_TOOLS: Record<string, string[]> = {
  write_to_file: ["path", "content"],
  replace_in_file: ["path", "diff"],
  read_file: ["path"],
  list_files: ["path", "recursive"],
  search_files: ["path", "regex", "file_pattern"],
  list_code_definition_names: ["path"],
  execute_command: ["command", "requires_approval"],
  browser_action: ["action", "url", "coordinate", "text"],
  use_mcp_tool: ["server_name", "tool_name", "arguments"],
  access_mcp_resource: ["server_name", "uri"],
  ask_followup_question: ["question", "options"],
  plan_mode_respond: ["response"],
  attempt_completion: ["result", "command"],
};
