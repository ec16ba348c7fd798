# A formula for Homebrew. A release fills in the address and the checksum of its source.
class Brazier < Formula
  desc "Turn any profiler's output into flame graphs"
  homepage "https://localhost/brazier"
  url "https://localhost/brazier/brazier-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "capstone"
  depends_on "expat"
  depends_on "libmicrohttpd"
  depends_on "libyaml"
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBRZ_TESTS=OFF", "-DBRZ_STATIC_DEPS=OFF",
           *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"x.folded").write("main;read 3\n")
    assert_equal "main;read 3\n", shell_output("#{bin}/brazier collapse folded x.folded")
  end
end
