export function App() {
  return (
    <main className="start">
      <h1>Hello</h1>
      <p>
        This page is <code>src/App.tsx</code>.
      </p>
    </main>
  );
}
