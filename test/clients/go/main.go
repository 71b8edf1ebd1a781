// SPDX-License-Identifier: Apache-2.0

// gomemcache (ASCII) asks the server at 127.0.0.1:PORT and prints what it is told.
package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

const (
	patience   = 120 * time.Second
	goroutines = 4
	rounds     = 5
)

func valueOf(length int) string {
	return strings.Repeat(fmt.Sprintf("%d.", length), length)[:length]
}

func item(key, value string) *memcache.Item {
	return &memcache.Item{Key: key, Value: []byte(value), Flags: uint32(len(value))}
}

func main() {
	client := memcache.New("127.0.0.1:" + os.Args[1])
	client.Timeout = patience
	get := func(key string) string {
		found, err := client.Get(key)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(string(found.Value), " with flags ", found.Flags)
	}
	fmt.Println("ping", client.Ping())
	fmt.Println("flush", client.FlushAll())
	for _, size := range []int{1, 100, 1400, 1500, 20_000, 100_000, 1_000_000, 1 << 20} {
		value := valueOf(size)
		fmt.Println("set", size, client.Set(item("sized", value)))
		found, err := client.Get("sized")
		fmt.Println("get", size, err, err == nil && string(found.Value) == value)
	}
	keys := []string{"nothing"}
	for n := range 60 {
		key := fmt.Sprint("many", n)
		keys = append(keys, key)
		if err := client.Set(item(key, strings.Repeat("x", n))); err != nil {
			fmt.Println("set", key, err)
		}
	}
	many, err := client.GetMulti(keys)
	right := 0
	for n := range 60 {
		if found, there := many[fmt.Sprint("many", n)]; there && len(found.Value) == n {
			right++
		}
	}
	fmt.Println("multi-get", err, len(many), right)
	fmt.Println("add", client.Add(item("a", "1")), client.Add(item("a", "2")), get("a"))
	fmt.Println("replace", client.Replace(item("a", "3")), client.Replace(item("nothing", "4")))
	fmt.Println("append", client.Append(item("a", "5")), client.Append(item("nothing", "5")))
	fmt.Println("prepend", client.Prepend(item("a", "2")), client.Prepend(item("nothing", "5")))
	fmt.Println("get", get("a"), get("nothing"))
	for _, key := range []string{"a", "nothing"} {
		more, err := client.Increment(key, 1)
		fmt.Println("incr", more, err)
		less, err := client.Decrement(key, 234)
		fmt.Println("decr", less, err)
	}
	fmt.Println("set", client.Set(item("text", "text")))
	_, err = client.Increment("text", 1)
	fmt.Println("incr of a text", err)
	first, err := client.Get("text")
	fmt.Println("get", err)
	first.Value = []byte("new")
	fmt.Println("cas", client.CompareAndSwap(first), client.CompareAndSwap(first), get("text"))
	fmt.Println("touch", client.Touch("text", 100), client.Touch("nothing", 100))
	touched, err := client.GetAndTouch("text", 100)
	fmt.Println("get and touch", string(touched.Value), err)
	fmt.Println("delete", client.Delete("text"), client.Delete("text"), get("text"))
	said := make([]string, goroutines)
	var all sync.WaitGroup
	for number := range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			key := fmt.Sprint("goroutine", number)
			for turn := range rounds {
				said[number] += fmt.Sprint(client.Set(item(key, fmt.Sprint(turn))), get(key), "; ")
			}
		}()
	}
	all.Wait()
	fmt.Println("several at once", said)
	fmt.Println("flush", client.FlushAll(), get("a"))
	fmt.Println("close", client.Close())
}
