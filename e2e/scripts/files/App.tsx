export function App() {
  return (
    <main className="page">
      <h1>Words</h1>
      <p>Said on a page.</p>
    </main>
  );
}
