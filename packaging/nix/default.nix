# An expression for Nix: nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "brazier";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config makeWrapper ];
  buildInputs = with pkgs; [ libyaml zlib zstd pcre2 expat ncurses libmicrohttpd capstone ]
    ++ pkgs.lib.optionals pkgs.stdenv.isLinux (with pkgs; [ elfutils xz libdeflate ]);
  cmakeFlags = [ "-DBRZ_TESTS=OFF" "-DBRZ_STATIC_DEPS=OFF" ];

  # brazier view --web and listings of instructions load them by their names.
  postFixup = ''
    wrapProgram $out/bin/brazier --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath [ pkgs.libmicrohttpd pkgs.capstone ]}
  '';

  doInstallCheck = true;
  installCheckPhase = ''
    [ "$(printf 'main;read 3\n' | $out/bin/brazier collapse folded)" = 'main;read 3' ]
  '';

  meta = {
    description = "Turn any profiler's output into flame graphs";
    license = pkgs.lib.licenses.mit;
    mainProgram = "brazier";
    platforms = pkgs.lib.platforms.unix;
  };
}
