/** Asks the API. @throws Error with the API's own words */
export async function api<Answer>(path: string, body?: object, method = body ? "POST" : "GET") {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? "The server does not answer. Try again later.");
  return answer as Answer;
}

export interface User {
  id: string;
  email: string;
  name: string;
  role: "user" | "admin";
}
