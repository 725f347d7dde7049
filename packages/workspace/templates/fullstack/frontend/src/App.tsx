import { useEffect, useState } from "react";
import { api, type User } from "./api.ts";
import { ChangePassword } from "./ChangePassword.tsx";
import { SignIn } from "./SignIn.tsx";

export function App() {
  // Undefined until the API has said who is signed in.
  const [user, setUser] = useState<User | null>();
  const [problem, setProblem] = useState("");

  useEffect(() => {
    api<{ user: User | null }>("/auth/me").then(
      (answer) => setUser(answer.user),
      (error: Error) => setProblem(error.message),
    );
  }, []);

  const signOut = () =>
    api("/auth/sign-out", {}).then(
      () => setUser(null),
      (error: Error) => setProblem(error.message),
    );

  return (
    <main className="start">
      {problem && <p role="alert">{problem}</p>}
      <h1>Hello</h1>
      <p>
        This page is <code>frontend/src/App.tsx</code>.
      </p>
      {user === null && <SignIn onSignedIn={setUser} />}
      {user && (
        <>
          <p>
            Signed in as {user.name}. <button onClick={signOut}>Sign out</button>
          </p>
          <ChangePassword />
        </>
      )}
    </main>
  );
}
