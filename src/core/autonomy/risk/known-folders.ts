/** Places of the system, where only an administrator writes. */
export const SYSTEM_PLACE =
  /^(\/usr\/|\/lib|\/opt\/|\/bin|\/sbin|\/nix\/|\/snap\/|\/System\/|\/Library\/|C:\\?(Program|Windows))/

/** Folders that tools put their programs in. */
export const TOOL_FOLDERS =
  /(^|\/)(node_modules\/\.bin|\.?venv\/bin|\.?venv\/Scripts|vendor\/bin|\.cargo\/bin|\.local\/bin|\.deno\/bin|\.bun\/bin|go\/bin|\.nvm\/[\w./-]*|\.pyenv\/\w+|\.rbenv\/\w+|\.asdf\/[\w/]+|\.volta\/bin|\.yarn\/bin|\.dotnet(\/tools)?|\.composer\/vendor\/bin|\.poetry\/bin|\.krew\/bin|\.rd\/bin|\.pub-cache\/bin|flutter\/bin|Android\/[\w./-]*|\.sdkman\/[\w./-]*|\.fnm\/?[\w./-]*|\.local\/share\/[\w./-]*|miniconda3\/[\w./-]*|anaconda3\/[\w./-]*|\.opencode\/bin|bin)\/?$/
