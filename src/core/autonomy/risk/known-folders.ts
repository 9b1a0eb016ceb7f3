/** Places of the system, where only an administrator writes. */
export const SYSTEM_PLACE =
  /^(\/usr\/|\/lib|\/opt\/|\/bin|\/sbin|\/nix\/|\/snap\/|\/System\/|\/Library\/|C:\\?(Program|Windows))/

/** Folders that tools put their programs in. */
export const TOOL_FOLDERS =
  /(^|\/)(node_modules\/\.bin|\.?venv\/bin|\.?venv\/Scripts|vendor\/bin|\.cargo\/bin|\.local\/bin|\.deno\/bin|\.bun\/bin|go\/bin|\.nvm\/[\w./-]{0,255}|\.pyenv\/\w+|\.rbenv\/\w+|\.asdf\/[\w/]{1,255}|\.volta\/bin|\.yarn\/bin|\.dotnet(\/tools)?|\.composer\/vendor\/bin|\.poetry\/bin|\.krew\/bin|\.rd\/bin|\.pub-cache\/bin|flutter\/bin|Android\/[\w./-]{0,255}|\.sdkman\/[\w./-]{0,255}|\.fnm\/?[\w./-]{0,255}|\.local\/share\/[\w./-]{0,255}|miniconda3\/[\w./-]{0,255}|anaconda3\/[\w./-]{0,255}|\.opencode\/bin|bin)\/?$/
