const items = JSON.parse(localStorage.getItem("items") ?? "[]");
const draw = () =>
  list.replaceChildren(...items.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
form.onsubmit = (event) => {
  event.preventDefault();
  items.push(field.value);
  localStorage.setItem("items", JSON.stringify(items));
  field.value = "";
  draw();
};
draw();
