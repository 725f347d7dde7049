/** Lists of models in the formats of the servers. */

/** `GET /v1/models`; in Anthropic's format for a client that sends its API version. */
export function modelList(ids: string[], forAnthropic: boolean): Record<string, unknown> {
  if (forAnthropic) {
    const data = ids.map((id) => ({
      type: "model",
      id,
      display_name: id,
      created_at: "2026-01-01T00:00:00Z",
    }));
    return { data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
  }
  const data = ids.map((id) => ({
    id,
    object: "model",
    created: 1_767_225_600,
    owned_by: "script",
  }));
  return { object: "list", data };
}

/** `GET /api/tags`, in Ollama's format. */
export function ollamaTags(ids: string[]): Record<string, unknown> {
  const models = ids.map((id) => ({
    name: id,
    model: id,
    modified_at: "2026-01-01T00:00:00Z",
    size: 0,
    digest: "",
    details: { format: "script", family: "script", parameter_size: "0", quantization_level: "" },
  }));
  return { models };
}
