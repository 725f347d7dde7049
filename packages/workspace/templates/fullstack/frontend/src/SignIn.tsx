import { useState, type SubmitEvent } from "react";
import { api, type User } from "./api.ts";

export function SignIn({ onSignedIn }: { onSignedIn(user: User): void }) {
  const [isNew, setIsNew] = useState(false);
  const [problem, setProblem] = useState("");

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget));
    try {
      const path = isNew ? "/auth/register" : "/auth/sign-in";
      onSignedIn((await api<{ user: User }>(path, fields)).user);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <form className="sign-in" onSubmit={submit}>
      <h2>{isNew ? "Make an account" : "Sign in"}</h2>
      {problem && <p role="alert">{problem}</p>}
      {isNew && (
        <label>
          Name <input name="name" autoComplete="name" required />
        </label>
      )}
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password{" "}
        <input
          name="password"
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
          minLength={isNew ? 10 : undefined}
          required
        />
      </label>
      <button>{isNew ? "Make the account" : "Sign in"}</button>
      <button type="button" onClick={() => setIsNew(!isNew)}>
        {isNew ? "I have an account" : "I am new here"}
      </button>
    </form>
  );
}
