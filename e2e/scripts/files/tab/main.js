let count = 0;
document.querySelector("#count").addEventListener("click", (event) => {
  event.target.textContent = `Clicked ${++count} times`;
});
