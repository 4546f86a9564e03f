--- The digits of simulations do not depend on which LAPACK is there; .ci/lapacks unpacks two of
--- them.
local shell = dofile("spec/shell.lua")

--- Folders with this name among the libraries, as a search path.
local function search_path(...)
  local folders = {}
  for _, name in ipairs { ... } do
    folders[#folders + 1] = shell.run('ls -d "$PWD"/build/lapack/usr/lib/*/' .. name
      .. " 2>/dev/null || true"):match("[^\n]+")
  end
  return table.concat(folders, ":")
end

--- Which LAPACK was loaded, and the hashes.
local function digits(path)
  local output = shell.run('eval "$(.ci/env)" && LD_LIBRARY_PATH=' .. shell.quote(path)
    .. " lua5.4 spec/digits.lua")
  return output:match("^([^\n]*)\n(.*)$")
end

describe("digits #build", function()
  it("are the same with reference LAPACK and with OpenBLAS", function()
    local reference, openblas = search_path("lapack", "blas"), search_path("openblas-pthread")
    if openblas == "" then
      pending("only Debian has both LAPACKs as packages")
      return
    end
    local one, expected = digits(reference)
    local other, found = digits(openblas)
    assert.is_truthy(one:find("/lapack/liblapack.so", 1, true))
    assert.is_truthy(other:find("/openblas-pthread/liblapack.so", 1, true))
    assert.are.equal(expected, found)
  end)
end)
