// Index builds an inverted index of generated texts and answers queries with it.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"runtime/pprof"
	"sort"
	"strings"
	"unicode"
)

type posting struct {
	document, count int
}

type index struct {
	postings map[string][]posting
	lengths  []int
}

type result struct {
	document int
	score    float64
}

// Words splits a text into words in lower case.
func words(text string) []string {
	found := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range found {
		found[i] = strings.ToLower(word)
	}
	return found
}

func (x *index) add(text string) {
	counts := map[string]int{}
	all := words(text)
	for _, word := range all {
		counts[word]++
	}
	document := len(x.lengths)
	for word, count := range counts {
		x.postings[word] = append(x.postings[word], posting{document, count})
	}
	x.lengths = append(x.lengths, len(all))
}

// Search returns the documents with a word of the query, the most relevant first.
func (x *index) search(query string) []result {
	scores := map[int]float64{}
	for _, word := range words(query) {
		list := x.postings[word]
		weight := math.Log(1 + float64(len(x.lengths))/float64(len(list)+1))
		for _, p := range list {
			scores[p.document] += weight * float64(p.count) / float64(x.lengths[p.document])
		}
	}
	results := make([]result, 0, len(scores))
	for document, score := range scores {
		results = append(results, result{document, score})
	}
	sort.Slice(results, func(i, j int) bool { return results[i].score > results[j].score })
	return results
}

// Text makes up sentences. Small numbers, and so short words, are more frequent.
func text(random *rand.Rand, length int) string {
	var b strings.Builder
	for i := 0; i < length; i++ {
		for n := int(random.ExpFloat64() * 2000); n > 0; n /= 20 {
			b.WriteByte("etaoinshrdlucmfwypvb"[n%20])
		}
		b.WriteString([]string{" ", " ", ", ", ". "}[random.Intn(4)])
	}
	return b.String()
}

func run() {
	random := rand.New(rand.NewSource(1))
	x := index{postings: map[string][]posting{}}
	for i := 0; i < 20000; i++ {
		x.add(text(random, 300))
	}
	matches := 0
	for i := 0; i < 1000; i++ {
		matches += len(x.search(text(random, 3)))
	}
	fmt.Println(len(x.postings), "words,", matches, "matches")
}

func main() {
	profile := flag.String("cpuprofile", "index.pprof", "write the profile to this `file`")
	flag.Parse()
	file, err := os.Create(*profile)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		log.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	run()
}
