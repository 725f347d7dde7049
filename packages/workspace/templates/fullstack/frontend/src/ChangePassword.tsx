import { useState, type SubmitEvent } from "react";
import { api } from "./api.ts";

/** For whoever is signed in, as the administrator whose first password others know. */
export function ChangePassword() {
  const [problem, setProblem] = useState("");
  const [isDone, setIsDone] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setProblem("");
    setIsDone(false);
    try {
      await api("/auth/password", Object.fromEntries(new FormData(form)));
      form.reset();
      setIsDone(true);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <details>
      <summary>Change your password</summary>
      <form className="sign-in" onSubmit={submit}>
        {problem && <p role="alert">{problem}</p>}
        {isDone && <p role="status">The password is changed.</p>}
        <label>
          Present password{" "}
          <input name="current" type="password" autoComplete="current-password" required />
        </label>
        <label>
          New password (10 characters or more){" "}
          <input name="password" type="password" autoComplete="new-password" minLength={10} required />
        </label>
        <button>Change it</button>
      </form>
    </details>
  );
}
