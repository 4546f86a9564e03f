--- The reference has every public name, and is what the annotations say now.
local annotation = dofile("core/doc/annotation.lua")
local names = dofile("core/doc/names.lua")
local reference = dofile("core/doc/reference.lua")

describe("the reference", function()
  local text = reference.text()

  it("is up to date: make reference writes it", function()
    local file = assert(io.open("core/doc/reference.md", "rb"))
    local committed = file:read("*a")
    file:close()
    assert.are.equal(text, committed)
  end)

  it("has every public name once", function()
    for _, entry in ipairs(names.all()) do
      local _, count = text:gsub("\n### `" .. entry.name:gsub("%p", "%%%0") .. "[`( ]", "")
      assert.are.equal(1, count, entry.name)
    end
  end)

  it("shows no broken types", function()
    for line in text:gmatch("\n(%- [^\n]*)") do
      local _, open = line:gsub("[%({]", "")
      local _, close = line:gsub("[%)}]", "")
      assert.are.equal(open, close, line)
    end
  end)
end)

describe("an annotation", function()
  it("is taken apart", function()
    assert.are.same({
      text = { "Sentence." },
      params = {
        { name = "a?", type = "{ x: number, y?: string }", about = "some words" },
        { name = "f", type = "fun(s: sarrus.State): number, string?", about = "" },
        { name = "w", type = '"no way"|"b"', about = "one of them" },
      },
      returns = { { type = "true?", about = "done" } },
    }, annotation.parse {
      " Sentence.",
      "@param a? { x: number, y?: string } some words",
      "@param f fun(s: sarrus.State): number, string?",
      '@param w "no way"|"b" one of them',
      "@return true? done",
    })
  end)

  it("of a function type has arguments and a result", function()
    local list, result = annotation.of_function(
      "fun(a: table<string, number>, ...: fun(x: X)): R[]")
    assert.are.same({
      { name = "a", type = "table<string, number>", about = "" },
      { name = "...", type = "fun(x: X)", about = "" },
    }, list)
    assert.are.equal("R[]", result)
  end)
end)
