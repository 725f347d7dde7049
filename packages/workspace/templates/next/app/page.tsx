export default function Page() {
  return (
    <main className="start">
      <h1>Hello</h1>
      <p>
        This page is <code>app/page.tsx</code>.
      </p>
    </main>
  );
}
