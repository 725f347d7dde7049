import { useState } from "react";

export function App() {
  const [items, setItems] = useState<string[]>([]);
  const [text, setText] = useState("");
  return (
    <main>
      <h1>List</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setItems([...items, text]);
          setText("");
        }}
      >
        <label>
          Item <input value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <button type="submit">Add</button>
      </form>
      <ul>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </main>
  );
}
