return { fields = function() return {} end }
