-- Rows of a yardstick (workload|name|setting|CPU ms|error|…|steps) as rows of the benchmark.
local names = { W1 = "squeezer", W2 = "robot", ["W3 N=1 T=1"] = "chain-1",
  ["W3 N=10 T=1"] = "chain-10", ["W3 N=100 T=0.1"] = "chain-100",
  ["W3 N=1000 T=0.1"] = "chain-1000" }

for line in io.lines() do
  local fields = {}
  for field in line:gmatch("[^|]+") do
    fields[#fields + 1] = field
  end
  if names[fields[1]] then
    print(table.concat({ names[fields[1]], "yardstick", fields[3], fields[4], fields[5],
      fields[9] }, "|"))
  end
end
